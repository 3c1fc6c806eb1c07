import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '../api/call.ts'
import { CallFailed } from '../api/call-failed.ts'
import { failureText, isAboutSecondFactor } from '../api/errors.ts'
import { reauthPrompt } from '../api/reauth.ts'
import { profileCalls } from '../session/account-calls.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { SecondFactorField } from '../ui/second-factor-field.tsx'
import { useSecondFactor } from '../ui/use-second-factor.ts'

/** The field that appears asks for the missing code itself. */
function problemOf(error: Error | null): string | undefined {
  const code = error instanceof CallFailed ? error.code : ''
  if (!error || code === 'TWO_FACTOR_CODE_REQUIRED') return undefined
  if (code === 'PASSWORD_WRONG') return t`The password is incorrect`
  if (code === 'TWO_FACTOR_CODE_WRONG') return t`This code is not valid`
  return failureText(error, t`An unexpected error occurred`)
}

/** Back cancels, as Escape does. The form below, whose call waits, may block Back itself and be asked first. */
function useBackAsCancel() {
  useBlocker({ shouldBlockFn: ({ action }) => action !== 'PUSH' && action !== 'REPLACE', enableBeforeUnload: false })
  useEffect(() => {
    const cancel = () => reauthPrompt.answer(false)
    window.addEventListener('popstate', cancel)
    return () => window.removeEventListener('popstate', cancel)
  }, [])
}

/** Asks for the password again before a sensitive call, which continues by itself afterwards. */
export function ReauthDialog() {
  const [password, setPassword] = useState('')
  const factor = useSecondFactor()
  const [needsCode, setNeedsCode] = useState(false)
  useBackAsCancel()
  const verify = useMutation({
    mutationFn: () =>
      call(`POST ${profileCalls()}/reauthenticate`, { body: { password, ...(needsCode && { code: factor.text }) } }),
    onSuccess: () => reauthPrompt.answer(true),
    onError: (error) => {
      if (!isAboutSecondFactor(error)) return
      setNeedsCode(true)
      factor.typeAgain()
    },
  })
  return (
    <FormDialog
      title={t`Please confirm your password`}
      description={t`We ask again before sensitive changes.`}
      size="sm"
      submitLabel={t`Continue`}
      busy={verify.isPending}
      error={problemOf(verify.error)}
      blockedReason={password === '' ? t`Enter your password` : undefined}
      onSubmit={() => (!needsCode || factor.check()) && verify.mutate()}
      onClose={() => reauthPrompt.answer(false)}
    >
      <PasswordField
        label={t`Password`}
        required
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {needsCode && <SecondFactorField factor={factor} autoFocus />}
    </FormDialog>
  )
}
