import { t } from '@lingui/core/macro'
import { failureTextWithCause } from '#web/api/errors.ts'
import type { App } from '#web/session/session.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useKeysAction } from './replaced-keys-data.ts'

interface KeysDialogProps {
  app: App
  onClose: () => void
}

export function ReplaceKeysDialog({ app, onClose }: KeysDialogProps) {
  const { appId, appName } = app
  const replace = useKeysAction(appId, 'POST /replace_app_keys', onClose)
  return (
    <ConfirmDialog
      title={t`Replace the keys of ${appName}?`}
      description={t`Programs in use keep working. Put the new keys into your next version: only programs with the new keys are safe from whoever has the old ones.`}
      impact={t`This cannot be undone. Make a new backup afterwards; one from before contains the old keys.`}
      confirmLabel={t`Replace keys`}
      busy={replace.isPending}
      error={
        replace.error
          ? failureTextWithCause(
              replace.error,
              t`Failed to replace the keys`,
              (message) => t`Failed to replace the keys: ${message}`,
            )
          : undefined
      }
      onConfirm={() => replace.mutate()}
      onClose={onClose}
    />
  )
}

export function RetireKeysDialog({ app, onClose }: KeysDialogProps) {
  const { appId, appName } = app
  const retire = useKeysAction(appId, 'POST /retire_replaced_keys', onClose)
  return (
    <ConfirmDialog
      title={t`Retire the earlier keys of ${appName}?`}
      description={t`Every program that contains keys from before the last replacement stops working, until its user installs a newer version.`}
      impact={t`This cannot be undone.`}
      typedName={appName}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      confirmLabel={t`Retire earlier keys`}
      busy={retire.isPending}
      error={
        retire.error
          ? failureTextWithCause(
              retire.error,
              t`Failed to retire the earlier keys`,
              (message) => t`Failed to retire the earlier keys: ${message}`,
            )
          : undefined
      }
      onConfirm={() => retire.mutate()}
      onClose={onClose}
    />
  )
}
