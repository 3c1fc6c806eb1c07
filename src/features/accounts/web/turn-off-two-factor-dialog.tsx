import { t } from '@lingui/core/macro'
import { refreshProfile } from './account-queries.ts'
import { call } from '#web/call.ts'
import { notify } from '#web/notify.ts'
import { ProofDialog } from './proof-dialog.tsx'

export function TurnOffTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const onDone = async () => {
    await refreshProfile()
    notify.success(t`Two-factor authentication is off`)
    onClose()
  }
  return (
    <ProofDialog
      title={t`Turn off two-factor authentication`}
      description={t`From then on your password alone opens your account.`}
      submitLabel={t`Turn off`}
      send={(proof) => call('POST /profile/two-factor/disable', { body: proof })}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
