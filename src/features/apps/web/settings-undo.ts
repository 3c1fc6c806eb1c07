import { t } from '@lingui/core/macro'
import { rememberSelectedApp, selectedAppStore } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { notifyOutcome } from '#web/api/notify-outcome.ts'
import { queryClient } from '#web/api/query-client.ts'
import { notify, notifyUndoable } from '#web/browser/notify.ts'
import { pickFields } from '#web/form/field-changes.ts'
import { type App, appsQuery } from '#web/session/session.ts'
import { savedSettings, settingsBody, type SettingsField, type SettingsForm } from './settings-form.ts'

interface SettingsChange {
  changes: Partial<SettingsForm>
  /** The changed fields as they were. */
  before: Partial<SettingsForm>
}

/** Sends the changed settings; what restores them goes with the reply. */
export async function saveSettings(app: App, change: SettingsChange) {
  const reply = await call('POST /update_app', { appId: app.appId, body: settingsBody(app, change) })
  const names = Object.keys(change.changes) as SettingsField[]
  // Compared as stored: texts are trimmed.
  const before = pickFields(savedSettings(reply.app), names)
  return { ...reply, undo: canRestore(change) ? { changes: change.before, before } : undefined }
}

/** An undo never disables an app, which asks first. */
const canRestore = ({ changes, before }: SettingsChange): boolean =>
  Object.keys(changes).length > 0 && before.appStatus !== false

type Saved = Awaited<ReturnType<typeof saveSettings>>

/** Says that the settings are saved. Undo restores the former values, unless somebody has changed them since. */
export async function onSettingsSaved({ undo, app, ...reply }: Saved, ownerId: string): Promise<void> {
  if (undo) notifyUndoable(successText(reply), () => void restoreSettings(app, undo, ownerId))
  else notify.success(successText(reply))
  await showSaved(app, ownerId)
}

async function restoreSettings(app: App, undo: SettingsChange, ownerId: string): Promise<void> {
  const reply = await notifyOutcome(() => saveSettings(app, undo), t`Error: Failed to save settings`)
  if (reply) await showSaved(reply.app, ownerId)
  else await queryClient.invalidateQueries(appsQuery)
}

async function showSaved(app: App, ownerId: string): Promise<void> {
  // A pending refetch would restore the old values.
  await queryClient.cancelQueries(appsQuery)
  queryClient.setQueryData(appsQuery.queryKey, (apps) => apps?.map((each) => (each.appId === app.appId ? app : each)))
  // By the time of an undo, another app may be selected.
  if (selectedAppStore.get()?.appId === app.appId) rememberSelectedApp(ownerId, app)
}
