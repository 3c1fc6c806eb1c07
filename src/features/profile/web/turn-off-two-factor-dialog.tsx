import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { translatedText } from '#features/accounts/web/account-texts.ts'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { SecondFactorField } from '#web/ui/second-factor-field.tsx'
import { isAboutSecondFactor, useSecondFactor } from '#web/ui/use-second-factor.ts'
import { refreshProfile } from './profile-queries.ts'

/** Password and code together, so that nobody at an open desk can do it. */
export function TurnOffTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('')
  const factor = useSecondFactor()
  const disable = useMutation({
    mutationFn: () => call('POST /profile/two-factor/disable', { body: { password, code: factor.text.trim() } }),
    onSuccess: async () => {
      await refreshProfile()
      notify.success(t`Two-factor authentication is off`)
      onClose()
    },
    onError: (error) => isAboutSecondFactor(error) && factor.typeAgain(),
  })
  return (
    <FormDialog
      title={t`Turn off two-factor authentication`}
      description={t`From then on your password alone opens your account.`}
      size="sm"
      submitLabel={t`Turn off`}
      busy={disable.isPending}
      submitDisabled={password === ''}
      error={disable.error ? translatedText(failureText(disable.error, t`An unexpected error occurred`)) : undefined}
      onSubmit={() => factor.check() && disable.mutate()}
      onClose={onClose}
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
