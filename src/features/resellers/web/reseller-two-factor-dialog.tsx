import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { refreshResellers, type Reseller } from './resellers-data.ts'

/** For a reseller who lost the authenticator app and the recovery codes. */
export function ResellerTwoFactorDialog({ reseller, onClose }: { reseller: Reseller; onClose: () => void }) {
  const { id, username } = reseller
  const turnOff = useMutation({
    mutationFn: () => call('POST /resellers/{id}/two-factor/disable', { params: { id } }),
    onSuccess: async (reply) => {
      await refreshResellers()
      notify.success(successText(reply))
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t`Turn off two-factor authentication for ${username}?`}
      description={t`After that, the password alone opens the account of ${username}. Do this only if you have verified who is asking. The reseller is notified by email.`}
      confirmLabel={t`Turn off`}
      danger
      busy={turnOff.isPending}
      error={turnOff.error ? failureText(turnOff.error, t`An unexpected error occurred`) : undefined}
      onConfirm={() => turnOff.mutate()}
      onClose={onClose}
    />
  )
}
