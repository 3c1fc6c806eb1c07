import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { refreshProfile } from './account-queries.ts'
import { call } from '#web/call.ts'
import { failureText, successText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { defaultPasswordPolicy, newPasswordProblem } from '../accounts.rules.ts'

/** What holds everywhere; whether it must be complex is the platform's to say. */
const leastPolicy = { ...defaultPasswordPolicy, complex: false }

/** A new password; every other session ends with the old one (part 1 §5). */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const problemText = useProblemText()
  const problems = {
    current: currentPassword === '' ? problemText({ code: 'PASSWORD_REQUIRED' }) : undefined,
    next: problemText(newPasswordProblem(newPassword, leastPolicy)),
    confirmation: confirmation === newPassword ? undefined : t`New passwords do not match`,
  }
  const change = useMutation({
    mutationFn: () => call('POST /profile/change-password', { body: { currentPassword, newPassword } }),
    onSuccess: async (reply) => {
      notify.success(successText(reply))
      onClose()
      await refreshProfile()
    },
  })
  const submit = () => {
    setSubmitted(true)
    if (!problems.current && !problems.next && !problems.confirmation) change.mutate()
  }
  return (
    <FormDialog
      title={t`Change Password`}
      description={t`You stay signed in here; every other session ends.`}
      size="sm"
      submitLabel={t`Change Password`}
      busy={change.isPending}
      error={change.error ? failureText(change.error, t`Failed to change password`) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <PasswordField
        label={t`Current password`}
        required
        autoComplete="current-password"
        value={currentPassword}
        onChange={(event) => setCurrent(event.target.value)}
        error={submitted ? problems.current : undefined}
      />
      <PasswordField
        label={t`New password`}
        required
        autoComplete="new-password"
        value={newPassword}
        onChange={(event) => setNew(event.target.value)}
        error={submitted ? problems.next : undefined}
      />
      <PasswordField
        label={t`Confirm new password`}
        required
        autoComplete="new-password"
        value={confirmation}
        onChange={(event) => setConfirmation(event.target.value)}
        error={submitted ? problems.confirmation : undefined}
      />
    </FormDialog>
  )
}
