import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/browser/notify.ts'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { KeysSheet } from '#web/ui/keys-sheet.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ipLines, keyNameProblem, maxKeyNameLength, scopes } from '../seller-keys.rules.ts'
import { type SellerKey, sellerKeyList } from './seller-keys-data.ts'

interface SellerKeyFormProps {
  /** The key to edit; undefined creates a new one. */
  sellerKey?: SellerKey | undefined
  appName: string
  onClose: () => void
}

interface StoredFields {
  keyName: string
  whitelistedIPs: string[]
  permissions: string[]
}

/** An empty list grants full access; in the form, full access is chosen and never the result of choosing nothing. */
interface Access {
  isFull: boolean
  chosen: readonly string[]
}

/** Creates or edits a seller key; editing never changes the key itself. */
export function SellerKeyForm({ sellerKey, appName, onClose }: SellerKeyFormProps) {
  const accessOf = (permissions: readonly string[]): Access => ({
    isFull: sellerKey !== undefined && permissions.length === 0,
    chosen: permissions,
  })
  const form = useSaveForm({
    start: {
      keyName: sellerKey?.keyName ?? '',
      whitelistedIPs: sellerKey?.whitelistedIPs ?? [],
      permissions: sellerKey?.permissions ?? [],
    },
    isNew: sellerKey === undefined,
    toForm: (stored: StoredFields) => ({
      ...stored,
      whitelistedIPs: stored.whitelistedIPs.join('\n'),
      permissions: accessOf(stored.permissions),
    }),
    toBody: ({ keyName, whitelistedIPs, permissions }) => ({
      keyName: keyName.trim(),
      whitelistedIPs: ipLines(whitelistedIPs),
      permissions: permissions.isFull ? [] : scopes.filter((scope) => permissions.chosen.includes(scope)),
    }),
    problems: ({ keyName, permissions: { isFull, chosen } }) => ({
      keyName: keyNameProblem(keyName),
      permissions: isFull || chosen.length > 0 ? undefined : t`Select at least one permission, or choose full access.`,
    }),
    send: async ({ body, changes, before, idempotencyKey }) => {
      if (!sellerKey) return call('POST /create_seller_key', { body: { ...body, appName }, idempotencyKey })
      const edit = { sellerKey: sellerKey.sellerKey, ...changes, before }
      return { ...(await call('POST /update_seller_key', { body: edit })), sellerKey: undefined }
    },
    failure: sellerKey ? t`Failed to update seller key` : t`Failed to create seller key`,
    texts: { permissions: ({ isFull, chosen }) => (isFull ? t`Full access` : chosen.join(', ')) },
    onSaved: async (reply) => {
      // For a new key, notify after it was shown: on a phone, a toast would cover the sheet's buttons.
      if (reply.sellerKey === undefined) {
        notify.success(successText(reply))
        onClose()
      }
      await sellerKeyList.refresh()
    },
    onUnchanged: onClose,
  })
  const { saved } = form
  if (saved?.sellerKey) {
    const finish = () => {
      notify.success(successText(saved))
      onClose()
    }
    return <NewKeySheet sellerKey={saved.sellerKey} onClose={finish} />
  }
  return (
    <FormDialog
      title={sellerKey ? t`Edit seller key` : t`Create seller key`}
      submitLabel={sellerKey ? t`Save Changes` : t`Create`}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField label={t`Key name`} required maxLength={maxKeyNameLength} {...form.field('keyName')} />
      {sellerKey && (
        <TextField
          label={t`Seller key`}
          readOnly
          mono
          value={sellerKey.sellerKey}
          help={t`A key can't be changed; rotate it instead.`}
        />
      )}
      <TextArea
        label={t`Whitelisted IPs`}
        mono
        rows={4}
        help={t`One address or network (CIDR) per line. Leave empty to allow calls from any IP.`}
        {...form.field('whitelistedIPs')}
      />
      <ScopeFields {...form.field('permissions')} />
      <ShowApiCall
        calls={() => {
          if (!sellerKey)
            return [apiCall('POST /create_seller_key', { body: { ...form.body, appName }, idempotencyKey: true })]
          const edited = { sellerKey: sellerKey.sellerKey, ...form.changes }
          return form.changes && [apiCall('POST /update_seller_key', { body: edited })]
        }}
      />
    </FormDialog>
  )
}

/** The only time that the complete key is shown. */
export const NewKeySheet = ({ sellerKey, onClose }: { sellerKey: string; onClose: () => void }) => (
  <KeysSheet
    title={t`Your seller key`}
    description={t`Copy it now: it is stored only as a hash and can't be shown again.`}
    label={t`Seller key`}
    keys={[sellerKey]}
    copyLabel={t`Copy`}
    shownOnce
    onClose={onClose}
  />
)

interface ScopeFieldsProps {
  value: Access
  onChange: (value: Access) => void
  error: string | undefined
  notice: ReactNode
}

function ScopeFields({ value: { isFull, chosen }, onChange, error, notice }: ScopeFieldsProps) {
  const toggle = (scope: string) =>
    onChange({ isFull, chosen: chosen.includes(scope) ? chosen.filter((each) => each !== scope) : [...chosen, scope] })
  return (
    <div>
      <RadioGroup
        legend={t`Permissions`}
        value={isFull ? 'full' : 'some'}
        onChange={(access) => onChange({ isFull: access === 'full', chosen })}
        options={[
          { value: 'some', label: t`Only what is selected`, help: t`Everything else is rejected.` },
          { value: 'full', label: t`Full access`, help: t`Everything that the seller API can do, also deleting.` },
        ]}
      />
      {!isFull && (
        <div
          role="group"
          aria-label={t`Selected permissions`}
          className="mt-3 grid gap-2 rounded-md border border-line p-3 sm:grid-cols-2"
        >
          {scopes.map((scope) => (
            <CheckboxField
              key={scope}
              name="permissions"
              label={
                <span translate="no" className="machine">
                  {scope}
                </span>
              }
              checked={chosen.includes(scope)}
              onChange={() => toggle(scope)}
            />
          ))}
        </div>
      )}
      {error && (
        <p role="alert" className="mt-2 text-meta text-danger">
          {error}
        </p>
      )}
      {notice}
    </div>
  )
}
