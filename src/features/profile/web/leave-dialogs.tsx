import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useLeave } from '#features/accounts/web/use-leave.ts'
import { call } from '#web/api/call.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import type { Account } from '#web/session/session.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

export function LogoutAllDialog({ onClose }: { onClose: () => void }) {
  const goToLogin = useLeave()
  const leave = useMutation({
    mutationFn: () => call('POST /logout-all'),
    onSuccess: async (reply) => {
      notify.success(successText(reply))
      await goToLogin()
    },
  })
  return (
    <ConfirmDialog
      title={t`Log out everywhere?`}
      description={t`All sessions of your account end, including this one.`}
      confirmLabel={t`Log out everywhere`}
      danger
      busy={leave.isPending}
      error={leave.error ? failureText(leave.error, t`Failed to logout from all devices`) : undefined}
      onConfirm={() => leave.mutate()}
      onClose={onClose}
    />
  )
}

/** Irreversible, so the username must be typed; the server also asks for the password. */
export function DeleteAccountDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const goToLogin = useLeave()
  const remove = useMutation({
    mutationFn: () => call('POST /profile/delete-account'),
    onSuccess: async (reply) => {
      notify.success(successText(reply))
      await goToLogin()
    },
  })
  return (
    <ConfirmDialog
      title={t`Delete your account?`}
      description={t`This action cannot be undone.`}
      impact={t`All your apps are deleted too, with their licenses, users, keys and settings. Programs that use them are rejected immediately.`}
      typedName={account.username}
      typedLabel={t`Username`}
      typedMismatch={t`Username does not match`}
      confirmLabel={t`Delete Account`}
      danger
      busy={remove.isPending}
      error={remove.error ? failureText(remove.error, t`Failed to delete account`) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  )
}
