import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { refreshProfile } from './account-queries.ts'
import { call } from '#web/api/call.ts'
import { CallFailed } from '#web/api/call-failed.ts'
import { isAboutSecondFactor, successText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import { profileCalls } from '#web/session/account-calls.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { SecondFactorField } from '#web/ui/second-factor-field.tsx'
import { useSecondFactor } from '#web/ui/use-second-factor.ts'
import { useAccount } from '#web/session/use-account.ts'
import { easyPasswordProblem, newPasswordProblem } from '../accounts.rules.ts'
import { passwordPolicy } from './password-policy.ts'

/** Changes the password; all other sessions end. */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const factor = useSecondFactor()
  const [needsCode, setNeedsCode] = useState(false)
  const [isCodeMissing, setCodeMissing] = useState(false)
  const account = useAccount()
  const form = useSaveForm({
    start: { currentPassword: '', newPassword: '', confirmation: '' },
    isNew: true,
    problems: ({ currentPassword, newPassword, confirmation }) => ({
      currentPassword: currentPassword === '' ? { code: 'PASSWORD_REQUIRED' } : undefined,
      newPassword: newPasswordProblem(newPassword, passwordPolicy()) ?? easyPasswordProblem(newPassword, account),
      confirmation: confirmation === newPassword ? undefined : t`New passwords do not match`,
    }),
    send: async ({ body: { currentPassword, newPassword } }) => {
      const code = needsCode ? { code: factor.text } : {}
      try {
        return await call(`POST ${profileCalls()}/change-password`, { body: { currentPassword, newPassword, ...code } })
      } catch (error) {
        setCodeMissing(error instanceof CallFailed && error.code === 'TWO_FACTOR_CODE_REQUIRED')
        if (isAboutSecondFactor(error)) {
          setNeedsCode(true)
          factor.typeAgain()
        }
        throw error
      }
    },
    failure: t`Failed to change password`,
    onSaved: async (reply) => {
      notify.success(successText(reply))
      onClose()
      await refreshProfile()
    },
  })
  // If a code is missing, the code field appears, which needs no error message.
  const error = isCodeMissing ? undefined : form.dialog.error
  return (
    <FormDialog
      title={t`Change Password`}
      description={t`You stay signed in here; all other sessions end.`}
      size="sm"
      submitLabel={t`Change Password`}
      {...form.dialog}
      error={error}
      onSubmit={() => (!needsCode || factor.check()) && form.dialog.onSubmit()}
      onClose={onClose}
    >
      <PasswordField
        label={t`Current password`}
        required
        autoComplete="current-password"
        {...form.field('currentPassword')}
      />
      <PasswordField label={t`New password`} required autoComplete="new-password" {...form.field('newPassword')} />
      <PasswordField
        label={t`Confirm new password`}
        required
        autoComplete="new-password"
        {...form.field('confirmation')}
      />
      {needsCode && <SecondFactorField factor={factor} autoFocus />}
    </FormDialog>
  )
}
