import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { CallFailed } from '#web/api/call-failed.ts'
import { call } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { SecondFactorField } from '#web/ui/second-factor-field.tsx'
import { useSecondFactor } from '#web/ui/use-second-factor.ts'
import { EntryForm } from './entry-form.tsx'
import { loginFailure, type PendingLogin } from './use-login.ts'

export interface LoginCodeFormProps {
  pending: PendingLogin
  /** Returns to the password step, with the error if the sign-in has expired. */
  onBack: (error?: unknown) => void
}

export function useLoginCode({ pending, onBack }: LoginCodeFormProps) {
  const factor = useSecondFactor()
  const finish = useMutation({
    mutationFn: () => {
      const answer = factor.isRecovery ? { recoveryCode: factor.text.trim() } : { code: factor.text }
      return call('POST /login/two-factor', { body: { pendingToken: pending.token, ...answer } })
    },
    onSuccess: ({ user }) => pending.enter(user),
    onError: (error) => {
      if (error instanceof CallFailed && error.code === 'SIGN_IN_ENDED') onBack(error)
      else factor.typeAgain()
    },
  })
  return {
    factor,
    busy: finish.isPending,
    failure: finish.error ? loginFailure(finish.error) : undefined,
    submit: () => !finish.isPending && factor.check() && finish.mutate(),
  }
}

/** Second step: a code of the authenticator app, or a recovery code. */
export function LoginCodeForm({ pending, onBack }: LoginCodeFormProps) {
  const { factor, busy, failure, submit } = useLoginCode({ pending, onBack })
  return (
    <EntryForm onSubmit={submit} error={failure}>
      <SecondFactorField factor={factor} autoFocus />
      <Button type="submit" variant="primary" size="lg" busy={busy}>{t`Sign in`}</Button>
      <Button variant="ghost" onClick={() => onBack()}>{t`Back`}</Button>
    </EntryForm>
  )
}
