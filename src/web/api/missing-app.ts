import { t } from '@lingui/core/macro'
import { forgetApp, type SelectedApp, selectedAppStore } from './app-selection.ts'
import { notify } from '../browser/notify.ts'
import { queryClient } from './query-client.ts'
import { accountKey } from './query-keys.ts'

/** Lists of apps to choose from: those of an owner and of a reseller. */
const listKeys = [accountKey('apps'), accountKey('assigned-apps')]

/** The apps in the loaded lists; `undefined` when no list is loaded. */
function knownApps(): readonly SelectedApp[] | undefined {
  const lists = listKeys.map((key) => queryClient.getQueryData<readonly SelectedApp[]>(key))
  return lists.some((list) => list !== undefined) ? lists.flatMap((list) => list ?? []) : undefined
}

const isListed = (appId: string): boolean => knownApps()?.some((app) => app.appId === appId) ?? false

let refresh: Promise<unknown> | undefined

/** A single request for all calls of a page that fail at the same time. */
async function refreshLists(): Promise<void> {
  refresh ??= Promise.all(listKeys.map((queryKey) => queryClient.refetchQueries({ queryKey }))).finally(() => {
    refresh = undefined
  })
  await refresh
}

/**
 * The server does not know the app of a call. If the app is not in the list anymore, it is deselected: the page shows
 * that instead of an error, and text typed for the app cannot reach another app.
 */
export async function checkMissingApp(appId: string): Promise<void> {
  if (isListed(appId)) await refreshLists()
  const selected = selectedAppStore.get()
  if (selected?.appId !== appId || knownApps() === undefined || isListed(appId)) return
  forgetApp(appId)
  const { appName } = selected
  notify.warning(t`${appName} is no longer available. It may have been deleted.`)
}
