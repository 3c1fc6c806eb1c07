import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/call.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { FormError } from './form-error.tsx'
import { loginFailure, type PendingLogin } from './use-login.ts'

/** The second step: a code of the authenticator app, or a recovery code. */
export function LoginCodeForm({ pending, onBack }: { pending: PendingLogin; onBack: () => void }) {
  const [code, setCode] = useState('')
  const isRecovery = !/^[0-9 ]{0,7}$/.test(code)
  const finish = useMutation({
    mutationFn: () => {
      const answer = isRecovery ? { recoveryCode: code.trim() } : { code: code.replaceAll(' ', '') }
      return call('POST /login/two-factor', { body: { pendingToken: pending.token, ...answer } })
    },
    onSuccess: ({ user }) => user && pending.enter(user),
  })
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        finish.mutate()
      }}
    >
      <FormError message={finish.error ? loginFailure(finish.error) : undefined} />
      <TextField
        label={t`Two-factor or recovery code`}
        help={t`From your authenticator app, or one of the recovery codes you saved.`}
        mono
        required
        autoFocus
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        busy={finish.isPending}
        disabled={code.trim() === ''}
      >{t`Sign in`}</Button>
      <Button variant="ghost" onClick={onBack}>{t`Back`}</Button>
    </form>
  )
}
