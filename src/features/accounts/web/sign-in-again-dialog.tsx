import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { paths } from '#web/navigation/paths.ts'
import { queryClient } from '#web/api/query-client.ts'
import { readRememberedLogin } from './remembered-login.ts'
import { recordSignIn, returnAddress, type SessionEnd, signInPrompt } from '#web/api/session-end.ts'
import { type Account, sessionQuery } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, type DialogProps } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { SecondFactorField } from '#web/ui/second-factor-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { type LoginCodeFormProps, useLoginCode } from './login-code-form.tsx'
import { useLogin } from './use-login.ts'

function goOn(user: Account) {
  const before = queryClient.getQueryData(sessionQuery.queryKey)
  recordSignIn(user)
  // The open page belongs to the previous account.
  if (user.id !== before?.id) return location.assign(paths.home())
  queryClient.setQueryData(sessionQuery.queryKey, user)
  signInPrompt.answer(true)
}

/** Shown over the open page: calls waiting for the session continue, and no input is lost. */
export function SignInAgainDialog({ reason }: { reason: SessionEnd }) {
  const [username] = useState(() => queryClient.getQueryData(sessionQuery.queryKey)?.username ?? '')
  const [password, setPassword] = useState('')
  const { problems, failure, busy, submit, pending, startAgain } = useLogin(goOn)
  if (pending) return <CodeStep pending={pending} onBack={startAgain} />

  const reasons: Record<SessionEnd, string> = {
    ended: t`Your session has ended. Sign in to continue: your open work stays as it is.`,
    'signed-out': t`You signed out in another tab. Sign in to continue: your open work stays as it is.`,
    'somebody-else': t`Someone else signed in in another tab. Sign in as ${username} to continue here.`,
  }
  const { rememberMe } = readRememberedLogin()
  return (
    <StepDialog
      description={reasons[reason]}
      busy={busy}
      error={failure}
      onSubmit={() => void submit({ username, password, rememberMe })}
    >
      <TextField label={t`Username`} name="username" autoComplete="username" readOnly value={username} />
      <PasswordField
        label={t`Password`}
        name="password"
        required
        value={password}
        error={problems.password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </StepDialog>
  )
}

function CodeStep(props: LoginCodeFormProps) {
  const { factor, busy, failure, submit } = useLoginCode(props)
  return (
    <StepDialog busy={busy} error={failure} onSubmit={submit}>
      <SecondFactorField factor={factor} />
    </StepDialog>
  )
}

interface StepDialogProps extends Required<Pick<DialogProps, 'busy' | 'children' | 'onSubmit'>> {
  description?: string
  error: string | undefined
}

/** Only its buttons close it: a click on the backdrop would discard the open work. */
const StepDialog = ({ children, busy, error, ...dialog }: StepDialogProps) => (
  <Dialog
    title={t`Sign in`}
    size="sm"
    fullOnPhones
    buttonsOnly
    busy={busy}
    onClose={leaveToLogin}
    {...(error !== undefined && { error })}
    {...dialog}
    footer={
      <>
        <Button onClick={leaveToLogin} disabled={busy}>{t`Cancel`}</Button>
        <Button type="submit" variant="primary" busy={busy}>{t`Sign in`}</Button>
      </>
    }
  >
    <div className="flex flex-col gap-4 pb-1">{children}</div>
  </Dialog>
)

/** A full page load, so that nothing of the session stays in memory. After signing in, the same page opens again. */
function leaveToLogin() {
  const isOtherAccount = signInPrompt.question.get() === 'somebody-else'
  const search = new URLSearchParams({ next: returnAddress(), reason: 'ended' })
  location.assign(isOtherAccount ? paths.home() : `${paths.login()}?${search}`)
}
