import { t } from '@lingui/core/macro'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { setLicenseBanned } from './ban-license.ts'
import type { License } from './license-list.ts'

/** Asks first, as part 1 §4 wants; the answer shows at once and can be undone. */
export function BanLicenseDialog({ license: { license, banned }, onClose }: { license: License; onClose: () => void }) {
  const toggle = () => {
    void setLicenseBanned(license, !banned)
    onClose()
  }
  return (
    <ConfirmDialog
      title={banned ? t`Unban license?` : t`Ban license?`}
      description={banned ? t`Access is restored at once.` : t`Access ends at once; live sessions are closed.`}
      confirmLabel={banned ? t`Unban` : t`Ban`}
      danger={!banned}
      busy={false}
      error={undefined}
      onConfirm={toggle}
      onClose={onClose}
    >
      <p className="break-all">
        <MachineText value={license} />
      </p>
    </ConfirmDialog>
  )
}
