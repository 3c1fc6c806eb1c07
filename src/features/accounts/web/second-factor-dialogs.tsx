import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { failureText, isAboutSecondFactor, successText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import { profileCalls } from '#web/session/account-calls.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { SecondFactorField } from '#web/ui/second-factor-field.tsx'
import { useSecondFactor } from '#web/ui/use-second-factor.ts'
import { refreshProfile } from './account-queries.ts'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'

export function TurnOffTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const onDone = async (reply: CallReply<'POST /profile/two-factor/disable'>) => {
    await refreshProfile()
    notify.success(successText(reply))
    onClose()
  }
  return (
    <VerificationDialog
      title={t`Turn off two-factor authentication`}
      description={t`After that, your password alone opens your account.`}
      submitLabel={t`Turn off`}
      send={(credentials) => call(`POST ${profileCalls()}/two-factor/disable`, { body: credentials })}
      onDone={(reply) => void onDone(reply)}
      onClose={onClose}
    />
  )
}

/** New recovery codes, if the old ones are used up or exposed. */
export function NewRecoveryCodesDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes) return <RecoveryCodesDialog news={t`The old codes no longer work.`} codes={codes} onClose={onClose} />
  return (
    <VerificationDialog
      title={t`Generate new recovery codes`}
      description={t`Your current codes stop working.`}
      submitLabel={t`Generate new codes`}
      send={(credentials) => call(`POST ${profileCalls()}/two-factor/recovery-codes`, { body: credentials })}
      onDone={({ recoveryCodes }) => {
        setCodes(recoveryCodes)
        void refreshProfile()
      }}
      onClose={onClose}
    />
  )
}

interface Credentials {
  password: string
  code: string
}

interface VerificationDialogProps<R> {
  title: string
  description: string
  submitLabel: string
  send: (credentials: Credentials) => Promise<R>
  onDone: (reply: R) => void
  onClose: () => void
}

/** Requires the password and a code, so that nobody can do this at an unattended desk. */
function VerificationDialog<R>({ send, onDone, ...dialog }: VerificationDialogProps<R>) {
  const [password, setPassword] = useState('')
  const factor = useSecondFactor()
  const submission = useMutation({
    mutationFn: () => send({ password, code: factor.text.trim() }),
    onSuccess: onDone,
    onError: (error) => isAboutSecondFactor(error) && factor.typeAgain(),
  })
  return (
    <FormDialog
      {...dialog}
      size="sm"
      busy={submission.isPending}
      blockedReason={password === '' ? t`Enter your password` : undefined}
      error={submission.error ? failureText(submission.error, t`An unexpected error occurred`) : undefined}
      onSubmit={() => factor.check() && submission.mutate()}
    >
      <PasswordField
        label={t`Password`}
        required
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <SecondFactorField factor={factor} />
    </FormDialog>
  )
}
