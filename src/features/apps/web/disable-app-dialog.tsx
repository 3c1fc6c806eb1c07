import { t } from '@lingui/core/macro'
import type { App } from '#web/session/session.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { setAppEnabled } from './apps-data.ts'

export function DisableAppDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const { appName } = app
  const disable = () => {
    void setAppEnabled(app, false)
    onClose()
  }
  return (
    <ConfirmDialog
      title={t`Disable ${appName}?`}
      description={t`Its programs are rejected with “This app is disabled” until you enable it again; running programs, at their next heartbeat.`}
      confirmLabel={t`Disable`}
      danger
      busy={false}
      error={undefined}
      onConfirm={disable}
      onClose={onClose}
    />
  )
}
