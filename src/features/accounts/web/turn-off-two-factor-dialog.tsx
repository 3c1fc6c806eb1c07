import { t } from '@lingui/core/macro'
import { refreshProfile } from './account-queries.ts'
import { call } from '#web/call.ts'
import type { CallReply } from '#web/call-types.ts'
import { successText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { ProofDialog } from './proof-dialog.tsx'

export function TurnOffTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const onDone = async (reply: CallReply<'POST /profile/two-factor/disable'>) => {
    await refreshProfile()
    notify.success(successText(reply))
    onClose()
  }
  return (
    <ProofDialog
      title={t`Turn off two-factor authentication`}
      description={t`From then on your password alone opens your account.`}
      submitLabel={t`Turn off`}
      send={(proof) => call('POST /profile/two-factor/disable', { body: proof })}
      onDone={(reply) => void onDone(reply)}
      onClose={onClose}
    />
  )
}
