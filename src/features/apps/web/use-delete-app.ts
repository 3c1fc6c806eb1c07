import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { clearSelectedApp, selectedAppStore } from '#web/app-selection.ts'
import { call } from '#web/call.ts'
import { notify } from '#web/notify.ts'
import { paths } from '#web/paths.ts'
import { appKeyOf, accountKey } from '#web/query-keys.ts'
import { type App, appsQuery } from '#web/session.ts'
import { dropSettingsDraft } from './settings-drafts.ts'

/** Deletes an app, refreshes the list and goes to /manage-apps; without any app left the guard leads on (conflicts C14). */
export function useDeleteApp({ appId }: App) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => call('POST /delete_app', { body: { appId } }),
    onSuccess: async () => {
      dropSettingsDraft(appId)
      await queryClient.cancelQueries(appsQuery)
      queryClient.setQueryData(appsQuery.queryKey, (apps) => apps?.filter((each) => each.appId !== appId))
      // It is gone in any case: a refresh that fails is tried again by the page.
      await queryClient.refetchQueries(appsQuery)
      void queryClient.invalidateQueries({ queryKey: accountKey('profile', 'plan-usage') })
      if (selectedAppStore.get()?.appId === appId) clearSelectedApp()
      queryClient.removeQueries({ queryKey: appKeyOf(appId) })
      await navigate({ to: paths.manageApps(), search: {} })
      notify.success(t`App deleted successfully`)
      // What opened the dialog is gone with the app.
      requestAnimationFrame(() => document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true }))
    },
  })
}
