import { t } from '@lingui/core/macro'
import type { App } from '#web/session/session.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { setAppEnabled } from './apps-data.ts'

interface DisableAppDialogProps {
  app: App
  /** Saves it with other changes. By default, the app is only disabled. */
  onConfirm?: () => void
  onClose: () => void
}

export function DisableAppDialog({ app, onConfirm, onClose }: DisableAppDialogProps) {
  const { appName } = app
  const disable = () => {
    if (onConfirm) onConfirm()
    else void setAppEnabled(app, false)
    onClose()
  }
  return (
    <ConfirmDialog
      title={t`Disable ${appName}?`}
      description={t`Its programs are rejected with “This app is disabled” until you enable it again; running programs, at their next heartbeat.`}
      confirmLabel={t`Disable`}
      danger
      onConfirm={disable}
      onClose={onClose}
    />
  )
}
