import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { refreshProfile } from './profile-queries.ts'

/** Secret, then a code to prove that it arrived, then the recovery codes, shown this once. */
export function StartTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const [code, setCode] = useState('')
  const secret = useQuery({
    queryKey: ['profile', 'two-factor', 'start'],
    queryFn: () => call('POST /profile/two-factor/start'),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const confirm = useMutation({
    mutationFn: () => call('POST /profile/two-factor/confirm', { body: { code } }),
    onSuccess: () => refreshProfile(),
  })
  if (confirm.data) return <RecoveryCodes codes={confirm.data.recoveryCodes} onClose={onClose} />
  const error = secret.error ?? confirm.error
  return (
    <FormDialog
      title={t`Turn on two-factor authentication`}
      description={t`Add this secret to your authenticator app, then enter the code that it shows.`}
      size="sm"
      submitLabel={t`Turn on`}
      busy={confirm.isPending}
      submitDisabled={!secret.data || code.trim() === ''}
      error={error ? failureText(error, t`An unexpected error occurred`) : undefined}
      onSubmit={() => confirm.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t`Secret`}
        readOnly
        mono
        value={secret.data?.secret ?? ''}
        suffix={<CopyButton text={secret.data?.secret ?? ''} label={t`Copy secret`} />}
      />
      {secret.data && (
        <a
          className="text-ui text-accent-text underline"
          href={secret.data.otpauthUrl}
        >{t`Open in an authenticator on this device`}</a>
      )}
      <TextField
        label={t`Two-factor code`}
        required
        mono
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
    </FormDialog>
  )
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      title={t`Your recovery codes`}
      description={t`Each opens your account once when the phone is lost. They are shown only now.`}
      size="sm"
      onClose={onClose}
      footer={
        <>
          <CopyButton labelled text={codes.join('\n')} label={t`Copy all`} />
          <Button variant="primary" onClick={onClose}>{t`I have saved them`}</Button>
        </>
      }
    >
      <ul className="machine grid grid-cols-2 gap-2 rounded-md border border-line bg-surface-0 p-3">
        {codes.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </Dialog>
  )
}

export function DisableTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const disable = useMutation({
    mutationFn: () => call('POST /profile/two-factor/disable', { body: { password, code } }),
    onSuccess: async ({ message }) => {
      notify.success(message ?? t`Two-factor authentication is off`)
      onClose()
      await refreshProfile()
    },
  })
  return (
    <FormDialog
      title={t`Turn off two-factor authentication`}
      size="sm"
      submitLabel={t`Turn off`}
      busy={disable.isPending}
      submitDisabled={password === '' || code === ''}
      error={disable.error ? failureText(disable.error, t`An unexpected error occurred`) : undefined}
      onSubmit={() => disable.mutate()}
      onClose={onClose}
    >
      <PasswordField
        label={t`Password`}
        required
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <TextField
        label={t`Two-factor or recovery code`}
        required
        mono
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
    </FormDialog>
  )
}
