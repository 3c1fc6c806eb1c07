import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { refreshProfile } from './account-queries.ts'
import { call } from '#web/call.ts'
import { ProofDialog } from './proof-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'

/** For when the old ones are used up, or were seen by somebody. */
export function NewRecoveryCodesDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes)
    return <RecoveryCodesDialog news={t`The old codes are worth nothing now.`} codes={codes} onClose={onClose} />
  return (
    <ProofDialog
      title={t`Make new recovery codes`}
      description={t`The codes that you have are worth nothing from then on.`}
      submitLabel={t`Make new codes`}
      send={(proof) => call('POST /profile/two-factor/recovery-codes', { body: proof })}
      onDone={({ recoveryCodes }) => {
        setCodes(recoveryCodes)
        void refreshProfile()
      }}
      onClose={onClose}
    />
  )
}
