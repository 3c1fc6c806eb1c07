import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ipLines, keyNameProblem, maxKeyNameLength } from '../seller-keys.rules.ts'
import { NewKeySheet } from './new-key-sheet.tsx'
import { ScopeFields } from './scope-fields.tsx'
import { refreshSellerKeys, type SellerKey } from './seller-key-list.ts'

interface SellerKeyFormProps {
  /** What is edited; without it a new key is made. */
  sellerKey?: SellerKey | undefined
  appName: string
  onClose: () => void
}

/** Create and edit; the key itself never changes here (part 1 §5 Seller keys). */
export function SellerKeyForm({ sellerKey, appName, onClose }: SellerKeyFormProps) {
  const [keyName, setKeyName] = useState(sellerKey?.keyName ?? '')
  const [ips, setIps] = useState(sellerKey?.whitelistedIPs.join('\n') ?? '')
  const [permissions, setPermissions] = useState<readonly string[]>(sellerKey?.permissions ?? [])
  const [submitted, setSubmitted] = useState(false)
  const [attempt] = useState(() => crypto.randomUUID())
  const fields = { keyName: keyName.trim(), whitelistedIPs: ipLines(ips), permissions: [...permissions] }
  const created = { body: { ...fields, appName }, idempotencyKey: attempt }
  const save = useMutation({
    mutationFn: async () => {
      if (sellerKey) {
        const { message } = await call('POST /update_seller_key', {
          body: { ...fields, sellerKey: sellerKey.sellerKey },
        })
        return { message, newKey: undefined }
      }
      const made = await call('POST /create_seller_key', created)
      return { message: made.message, newKey: made.sellerKey }
    },
    onSuccess: async ({ message, newKey }) => {
      if (!newKey) {
        notify.success(message ?? t`Seller key updated successfully`)
        onClose()
      }
      await refreshSellerKeys()
    },
  })
  if (save.data?.newKey) {
    // Told afterwards: on a phone it would lie over the sheet's buttons.
    const finish = () => {
      notify.success(save.data.message ?? t`Seller key created successfully`)
      onClose()
    }
    return <NewKeySheet sellerKey={save.data.newKey} onClose={finish} />
  }
  const problem = keyNameProblem(keyName)
  const failure = sellerKey ? t`Failed to update seller key` : t`Failed to create seller key`
  const submit = () => {
    setSubmitted(true)
    if (!problem) save.mutate()
  }
  return (
    <FormDialog
      title={sellerKey ? t`Edit seller key` : t`Create seller key`}
      submitLabel={sellerKey ? t`Save Changes` : t`Create`}
      busy={save.isPending}
      error={save.error ? failureText(save.error, failure) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t`Key name`}
        required
        maxLength={maxKeyNameLength}
        value={keyName}
        onChange={(event) => setKeyName(event.target.value)}
        error={submitted ? problem : undefined}
      />
      {sellerKey && (
        <TextField
          label={t`Seller key`}
          readOnly
          mono
          value={sellerKey.sellerKey}
          help={t`A key cannot change; rotate it instead.`}
        />
      )}
      <TextArea
        label={t`Whitelisted IPs`}
        mono
        rows={4}
        help={t`One address or network (CIDR) per line. Empty lets any IP call.`}
        value={ips}
        onChange={(event) => setIps(event.target.value)}
      />
      <ScopeFields chosen={permissions} onChange={setPermissions} />
      {!sellerKey && <ShowApiCall calls={() => [apiCall('POST /create_seller_key', created)]} />}
    </FormDialog>
  )
}
