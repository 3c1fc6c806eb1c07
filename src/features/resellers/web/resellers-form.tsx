import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { usernameProblem } from '#features/accounts/accounts.rules.ts'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { successText } from '#web/api/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/browser/notify.ts'
import { ConfirmCall } from '#web/form/confirm-call.tsx'
import { copyText } from '#web/ui/copy-button.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { OneTimeLink } from '#web/ui/one-time-link.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { type Reseller, refreshResellers, setupLink } from './resellers-data.ts'

/** Asks only for a username; the recipient of the setup link enters the rest. */
export function ResellerForm({ onClose }: { onClose: () => void }) {
  const form = useSaveForm({
    start: { username: '' },
    isNew: true,
    toBody: ({ username }) => ({ username: username.trim() }),
    problems: ({ username }) => ({ username: usernameProblem(username.trim()) }),
    send: ({ body, idempotencyKey }) => call('POST /resellers/create', { body, idempotencyKey }),
    failure: t`Failed to create reseller`,
    onSaved: async (reply) => {
      const isCopied = await copyText(setupLink(reply.registrationToken))
      notify.success(isCopied ? t`Reseller created successfully! Setup link copied to clipboard.` : successText(reply))
      await refreshResellers()
    },
  })
  if (form.saved) {
    const { registrationToken, reseller } = form.saved
    return (
      <SetupLinkSheet
        token={registrationToken}
        username={reseller.username}
        expiresAt={reseller.setupExpiresAt ?? 0}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title={t`Create reseller`}
      description={t`You get a setup link. The person who opens it chooses an email and a password.`}
      size="sm"
      submitLabel={t`Create reseller`}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField label={t`Username`} required autoComplete="off" {...form.field('username')} />
      <ShowApiCall calls={() => [apiCall('POST /resellers/create', { body: form.body, idempotencyKey: true })]} />
    </FormDialog>
  )
}

interface SheetProps {
  token: string
  username: string
  expiresAt: number
  onClose: () => void
}

const SetupLinkSheet = ({ token, username, expiresAt, onClose }: SheetProps) => (
  <OneTimeLink
    title={t`Setup link for ${username}`}
    description={t`Send it to the reseller; it works once. It is stored only as a hash and can't be shown again, but you can create a new one.`}
    label={t`Setup link`}
    link={setupLink(token)}
    expiresAt={expiresAt}
    onClose={onClose}
  />
)

/** Creates a new link; the previous one stops working. */
export function RenewSetupDialog({ reseller, onClose }: { reseller: Reseller; onClose: () => void }) {
  const { id, username } = reseller
  const [renewed, setRenewed] = useState<CallReply<'POST /resellers/{id}/setup-link'>>()
  if (renewed) {
    const { registrationToken, setupExpiresAt } = renewed
    return <SetupLinkSheet token={registrationToken} username={username} expiresAt={setupExpiresAt} onClose={onClose} />
  }
  return (
    <ConfirmCall
      title={t`New setup link for ${username}?`}
      description={t`The previous link stops working immediately.`}
      confirmLabel={t`Create link`}
      send={() => call('POST /resellers/{id}/setup-link', { params: { id } })}
      failure={t`Failed to create a setup link`}
      onDone={async (reply) => {
        await copyText(setupLink(reply.registrationToken))
        setRenewed(reply)
      }}
      refresh={refreshResellers}
      onClose={onClose}
    />
  )
}
