import { t } from '@lingui/core/macro'
import { refreshProfile } from './account-queries.ts'
import { call } from '#web/call.ts'
import { successText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { defaultPasswordPolicy, newPasswordProblem } from '../accounts.rules.ts'

/** What holds everywhere; whether it must be complex is the platform's to say. */
const leastPolicy = { ...defaultPasswordPolicy, complex: false }

/** A new password; every other session ends with the old one (part 1 §5). */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const form = useSaveForm({
    start: { currentPassword: '', newPassword: '', confirmation: '' },
    isNew: true,
    problems: ({ currentPassword, newPassword, confirmation }) => ({
      currentPassword: currentPassword === '' ? { code: 'PASSWORD_REQUIRED' } : undefined,
      newPassword: newPasswordProblem(newPassword, leastPolicy),
      confirmation: confirmation === newPassword ? undefined : t`New passwords do not match`,
    }),
    send: ({ body: { currentPassword, newPassword } }) =>
      call('POST /profile/change-password', { body: { currentPassword, newPassword } }),
    failure: t`Failed to change password`,
    onSaved: async (reply) => {
      notify.success(successText(reply))
      onClose()
      await refreshProfile()
    },
  })
  return (
    <FormDialog
      title={t`Change Password`}
      description={t`You stay signed in here; every other session ends.`}
      size="sm"
      submitLabel={t`Change Password`}
      {...form.dialog}
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
    </FormDialog>
  )
}
