import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { wholeList } from '#web/list/whole-list.ts'
import { notify, notifyUndoable } from '#web/browser/notify.ts'
import { changeAtOnce } from '#web/api/optimistic-change.ts'
import { selectApp } from '#web/session/account-calls.ts'
import { type App, appsQuery } from '#web/session/session.ts'
import { useAccount } from '#web/session/use-account.ts'
import { appStatuses, arrangeApps } from './arrange-apps.ts'

export const appList = wholeList({
  query: () => appsQuery,
  rowId: ({ appId }: App) => appId,
  table: { filters: { status: appStatuses }, sorts: ['name', 'created'] },
  arrange: arrangeApps,
  live: ['apps'],
  isReadElsewhere: true,
})

/** Disabling can be undone. */
export async function setAppEnabled({ appId, appName }: App, enabled: boolean) {
  const withStatus = (appStatus: boolean) => (apps: App[]) =>
    apps.map((app) => (app.appId === appId ? { ...app, settings: { ...app.settings, appStatus } } : app))
  await changeAtOnce({
    id: appId,
    queryKeys: [appsQuery.queryKey],
    show: withStatus(enabled),
    takeBack: withStatus(!enabled),
    send: () => call('POST /update_app', { appId, body: { settings: { appStatus: enabled } } }),
    onDone: ({ app }) => {
      if (enabled) notify.success(t`${appName} is enabled`)
      else notifyUndoable(t`${appName} is disabled`, () => void setAppEnabled(app, true))
    },
    failure: t`Failed to update app`,
  })
}

/** Selects an app. This remounts the page, so the focus is moved to the row's next action. */
export function useSelectApp() {
  const account = useAccount()
  return useCallback(
    async (app: App) => {
      const { appName } = app
      try {
        if (!(await selectApp(account, app))) return
        notify.success(t`Switched to app: ${appName}`)
        requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-current-settings]')?.focus())
      } catch (error) {
        notify.error(failureText(error, t`Failed to select app`))
      }
    },
    [account],
  )
}
