import { t } from '@lingui/core/macro'
import { call } from '#web/api/call.ts'
import { ConfirmCall } from '#web/form/confirm-call.tsx'
import type { App } from '#web/session/session.ts'
import { refreshKeys } from './replaced-keys-data.ts'

interface KeysDialogProps {
  app: App
  onClose: () => void
}

export function ReplaceKeysDialog({ app, onClose }: KeysDialogProps) {
  const { appId, appName } = app
  return (
    <ConfirmCall
      title={t`Replace the keys of ${appName}?`}
      description={t`Programs in use keep working. Put the new keys into your next version: only programs with the new keys are safe from whoever has the old ones.`}
      impact={t`This cannot be undone. Make a new backup afterwards; one from before contains the old keys.`}
      confirmLabel={t`Replace keys`}
      send={() => call('POST /replace_app_keys', { appId, body: { appId } })}
      failure={t`Failed to replace the keys`}
      withCause={(message) => t`Failed to replace the keys: ${message}`}
      refresh={() => refreshKeys(appId)}
      onClose={onClose}
    />
  )
}

export function RetireKeysDialog({ app, onClose }: KeysDialogProps) {
  const { appId, appName } = app
  return (
    <ConfirmCall
      title={t`Retire the earlier keys of ${appName}?`}
      description={t`Every program that contains keys from before the last replacement stops working, until its user installs a newer version.`}
      impact={t`This cannot be undone.`}
      typedName={appName}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      confirmLabel={t`Retire earlier keys`}
      send={() => call('POST /retire_replaced_keys', { appId, body: { appId } })}
      failure={t`Failed to retire the earlier keys`}
      withCause={(message) => t`Failed to retire the earlier keys: ${message}`}
      refresh={() => refreshKeys(appId)}
      onClose={onClose}
    />
  )
}
