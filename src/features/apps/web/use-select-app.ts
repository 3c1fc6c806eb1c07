import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { type App, selectApp } from '#web/session.ts'
import { useAccount } from '#web/use-account.ts'
import { translatedText } from './app-texts.ts'

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
        notify.error(translatedText(failureText(error, t`Failed to select app`)))
      }
    },
    [account],
  )
}
