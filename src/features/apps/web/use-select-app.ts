import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { type App, selectApp, useAccount } from '#web/session.ts'

/** Makes an app the current one. The page is remounted by it, so the focus is carried to the row's next action. */
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
