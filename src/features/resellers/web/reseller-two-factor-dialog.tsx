import { t } from '@lingui/core/macro'
import { call } from '#web/api/call.ts'
import { ConfirmCall } from '#web/form/confirm-call.tsx'
import { refreshResellers, type Reseller } from './resellers-data.ts'

/** For a reseller who lost the authenticator app and the recovery codes. */
export function ResellerTwoFactorDialog({ reseller, onClose }: { reseller: Reseller; onClose: () => void }) {
  const { id, username } = reseller
  return (
    <ConfirmCall
      title={t`Turn off two-factor authentication for ${username}?`}
      description={t`After that, the password alone opens the account of ${username}. Do this only if you have verified who is asking. The reseller is notified by email.`}
      confirmLabel={t`Turn off`}
      danger
      send={() => call('POST /resellers/{id}/two-factor/disable', { params: { id } })}
      failure={t`An unexpected error occurred`}
      refresh={refreshResellers}
      onClose={onClose}
    />
  )
}
