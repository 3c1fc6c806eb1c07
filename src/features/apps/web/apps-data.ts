import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { wholeList } from '#web/list/list-source.ts'
import { notify, notifyUndoable } from '#web/browser/notify.ts'
import { queryClient } from '#web/api/query-client.ts'
import { type App, appsQuery, selectApp } from '#web/session/session.ts'
import { useAccount } from '#web/session/use-account.ts'
import { appStatuses, arrangeApps } from './arrange-apps.ts'

export const appList = wholeList({
  query: () => appsQuery,
  rowId: ({ appId }: App) => appId,
  table: { filters: { status: appStatuses }, sorts: ['name', 'created'] },
  arrange: arrangeApps,
})

/** A pending refetch would restore the old status. */
async function showApp(appId: string, change: (app: App) => App) {
  await queryClient.cancelQueries(appsQuery)
  queryClient.setQueryData(appsQuery.queryKey, (apps) => apps?.map((app) => (app.appId === appId ? change(app) : app)))
}

const withStatus = (appStatus: boolean) => (app: App) => ({ ...app, settings: { ...app.settings, appStatus } })

/** Shows the new status immediately and reverts it if the server rejects it; disabling can be undone. */
export async function setAppEnabled({ appId, appName }: App, enabled: boolean) {
  await showApp(appId, withStatus(enabled))
  try {
    const saved = await call('POST /update_app', { appId, body: { settings: { appStatus: enabled } } })
    await showApp(appId, () => saved.app)
    if (enabled) notify.success(t`${appName} is enabled`)
    else notifyUndoable(t`${appName} is disabled`, () => void setAppEnabled(saved.app, true))
  } catch (error) {
    await showApp(appId, withStatus(!enabled))
    notify.error(failureText(error, t`Failed to update app`))
  }
}

/** Selects an app. This remounts the page, so the focus is moved to the row's next action. */
export function useSelectApp() {
  const account = useAccount()
  return useCallback(
    async (app: App) => {
      const { appName } = app
      try {
        await selectApp(account, app)
        notify.success(t`Switched to app: ${appName}`)
        requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-current-settings]')?.focus())
      } catch (error) {
        notify.error(failureText(error, t`Failed to select app`))
      }
    },
    [account],
  )
}
