import { t } from '@lingui/core/macro'
import { needMailPassword } from '#contract/mail-server.ts'
import { passwordPolicy, setPasswordPolicy } from '#features/accounts/web/password-policy.ts'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { notifyOutcome } from '#web/api/notify-outcome.ts'
import { queryClient } from '#web/api/query-client.ts'
import { notify, notifyUndoable } from '#web/browser/notify.ts'
import { pickFields } from '#web/form/field-changes.ts'
import { type AdminSettings, adminSettingsQuery } from './admin-data.ts'

export type SettingsGroup = keyof AdminSettings

/** Fields of the group. */
type Fields = Record<never, never>

interface SettingsChange {
  changes: Fields
  before: Fields
}

/** Sends the changed fields of a group; what restores them goes with the reply. */
export async function saveSettings(group: SettingsGroup, { changes, before }: SettingsChange) {
  const body = { settings: changes, before }
  const send = {
    platform: () => call('POST /admin/settings/platform', { body }),
    email: () => call('POST /admin/settings/email', { body }),
    api: () => call('POST /admin/settings/api', { body }),
    security: () => call('POST /admin/settings/security', { body }),
  }
  const reply = await send[group]()
  if (group === 'security') changePasswordPolicy(changes)
  return {
    ...reply,
    undo: canRestore(group, { changes, before }) ? { group, changes: before, before: changes } : undefined,
  }
}

/** For the passwords that are set in this page. */
function changePasswordPolicy({ passwordMinLength, requireComplexPassword }: Partial<AdminSettings['security']>): void {
  const { minLength, complex } = passwordPolicy()
  setPasswordPolicy({ minLength: passwordMinLength ?? minLength, complex: requireComplexPassword ?? complex })
}

/** Maintenance mode is turned on after a question only. */
function canRestore(group: SettingsGroup, { changes, before }: SettingsChange): boolean {
  const { maintenanceMode }: Partial<AdminSettings['platform']> = before
  return maintenanceMode !== true && (group !== 'email' || !needMailPassword.some((field) => field in changes))
}

export type Saved = Awaited<ReturnType<typeof saveSettings>>

/** Says that a group is saved. Undo restores the former values, unless somebody has changed them since. */
export async function onSettingsSaved({ undo, ...reply }: Saved): Promise<void> {
  if (undo) notifyUndoable(successText(reply), () => void restoreSettings(undo))
  else notify.success(successText(reply))
  await queryClient.invalidateQueries(adminSettingsQuery)
}

async function restoreSettings({ group, changes, before }: NonNullable<Saved['undo']>): Promise<void> {
  const names = Object.keys(changes) as (keyof typeof changes)[]
  const change = { changes, before: pickFields(before, names) }
  await notifyOutcome(() => saveSettings(group, change), t`Failed to save settings`)
  await queryClient.invalidateQueries(adminSettingsQuery)
}
