import { t } from '@lingui/core/macro'
import { selectedAppStore } from '#web/app-selection.ts'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { notifyUndoable } from '#web/notify-undoable.ts'
import { queryClient } from '#web/query-client.ts'
import { type LicenseList, licensesKey } from './license-list.ts'
import { withBan } from './optimistic-ban.ts'

interface BanOptions {
  /** The app it was asked for: Undo may be pressed after another one was selected. */
  appId?: string
  queryKey?: readonly unknown[]
  isUndo?: boolean
}

/** Shows the ban at once, takes it back when the server refuses, and offers to undo it. */
export async function setLicenseBanned(license: string, banned: boolean, options: BanOptions = {}) {
  const { appId = selectedAppStore.get()?.appId, queryKey = licensesKey(), isUndo = false } = options
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueriesData<LicenseList>({ queryKey })
  queryClient.setQueriesData<LicenseList>({ queryKey }, (list) => list && withBan(list, license, banned))
  const again = (state: boolean, undo: boolean) => () =>
    void setLicenseBanned(license, state, { appId, queryKey, isUndo: undo })
  try {
    const { message } = await call('POST /toggle_ban_license', { body: { licenseKey: license, banned }, appId })
    const text = message ?? (banned ? t`License banned successfully` : t`License unbanned successfully`)
    if (isUndo) notify.success(text)
    else notifyUndoable(text, again(!banned, true))
  } catch (error) {
    for (const [key, list] of before) queryClient.setQueryData(key, list)
    const retry = { label: t`Retry`, onAction: again(banned, isUndo) }
    notify.error(failureText(error, t`Failed to ban/unban license`), { action: retry })
  }
  await queryClient.invalidateQueries({ queryKey })
}
