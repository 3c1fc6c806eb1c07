import { t } from '@lingui/core/macro'
import { useLeave } from '#features/accounts/web/use-leave.ts'
import { call } from '#web/api/call.ts'
import { ConfirmCall } from '#web/form/confirm-call.tsx'
import type { Account } from '#web/session/session.ts'

export function LogoutAllDialog({ onClose }: { onClose: () => void }) {
  const goToLogin = useLeave()
  return (
    <ConfirmCall
      title={t`Log out everywhere?`}
      description={t`All sessions of your account end, including this one.`}
      confirmLabel={t`Log out everywhere`}
      danger
      send={() => call('POST /logout-all')}
      failure={t`Failed to logout from all devices`}
      onDone={goToLogin}
      onClose={onClose}
    />
  )
}

/** Irreversible, so the username must be typed; the server also asks for the password. */
export function DeleteAccountDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const goToLogin = useLeave()
  return (
    <ConfirmCall
      title={t`Delete your account?`}
      description={t`This action cannot be undone.`}
      impact={t`All your apps are deleted too, with their licenses, users, keys and settings. Programs that use them are rejected immediately.`}
      typedName={account.username}
      typedLabel={t`Username`}
      typedMismatch={t`Username does not match`}
      confirmLabel={t`Delete Account`}
      danger
      send={() => call('POST /profile/delete-account')}
      failure={t`Failed to delete account`}
      onDone={goToLogin}
      onClose={onClose}
    />
  )
}
