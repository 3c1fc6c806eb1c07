import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../call.ts'
import { CallFailed } from '../call-failed.ts'
import { failureText } from '../errors.ts'
import { finishReauth } from '../reauth.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { TextField } from '../ui/text-field.tsx'

const asksForCode = (error: unknown) => error instanceof CallFailed && error.code.startsWith('TWO_FACTOR')

/** Proves the password again before something delicate; the call that asked then goes on by itself. */
export function ReauthDialog() {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const prove = useMutation({
    mutationFn: () => call('POST /profile/reauthenticate', { body: { password, ...(code && { code }) } }),
    onSuccess: () => finishReauth(true),
    onError: (error) => setNeedsCode((needed) => needed || asksForCode(error)),
  })
  return (
    <FormDialog
      title={t`Please confirm your password`}
      description={t`This is asked before anything that would help somebody else at your desk.`}
      size="sm"
      submitLabel={t`Continue`}
      busy={prove.isPending}
      error={prove.error ? failureText(prove.error, t`An unexpected error occurred`) : undefined}
      submitDisabled={password === ''}
      onSubmit={() => prove.mutate()}
      onClose={() => finishReauth(false)}
    >
      <PasswordField
        label={t`Password`}
        required
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {needsCode && (
        <TextField
          label={t`Two-factor code`}
          mono
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      )}
    </FormDialog>
  )
}
