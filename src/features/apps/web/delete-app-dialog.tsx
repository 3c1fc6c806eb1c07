import { plural, t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { forgetApp } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import { ConfirmCall } from '#web/form/confirm-call.tsx'
import { paths } from '#web/navigation/paths.ts'
import { refreshPlanUsage } from '#features/plans/web/plan-usage.ts'
import { appKeyOf } from '#web/api/query-keys.ts'
import { type App, appsQuery } from '#web/session/session.ts'
import { dropSettingsDraft } from './settings-drafts.ts'

/** Number of licenses that will be deleted with the app; `undefined` until known. */
function useLicenseCount({ appId }: App): number | undefined {
  const { data } = useQuery({
    queryKey: appKeyOf(appId, 'license-count'),
    queryFn: async ({ signal }) => (await call('GET /licenses', { query: { page: 1, limit: 1 }, appId, signal })).total,
    staleTime: 0,
    retry: false,
  })
  return data
}

/** Drops a deleted app and goes to /manage-apps; without any app, the route guard redirects from there. */
function useDropApp({ appId }: App) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    dropSettingsDraft(appId)
    await queryClient.cancelQueries(appsQuery)
    queryClient.setQueryData(appsQuery.queryKey, (apps) => apps?.filter((each) => each.appId !== appId))
    // Before another part of the page requests it.
    forgetApp(appId)
    // The app is deleted in any case; the page retries a failed refetch.
    await queryClient.refetchQueries(appsQuery)
    void refreshPlanUsage()
    queryClient.removeQueries({ queryKey: appKeyOf(appId) })
    await navigate({ to: paths.manageApps(), search: {} })
    // The button that opened the dialog has been removed with the app.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true }))
  }
}

export function DeleteAppDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const { appId, appName } = app
  const drop = useDropApp(app)
  const licenses = useLicenseCount(app)
  const impact =
    licenses === undefined
      ? t`Deletes all its licenses, users, subscriptions and settings.`
      : plural(licenses, {
          0: 'Deletes all its users, subscriptions and settings. It has no licenses.',
          one: 'Deletes # license and all its users, subscriptions and settings.',
          other: 'Deletes # licenses and all its users, subscriptions and settings.',
        })
  return (
    <ConfirmCall
      title={t`Delete ${appName}?`}
      description={t`This action cannot be undone. All programs that use it are rejected from then on.`}
      impact={impact}
      typedName={appName}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      confirmLabel={t`Delete App`}
      send={() => call('POST /delete_app', { appId, body: { appId } })}
      failure={t`Failed to delete app`}
      withCause={(message) => t`Failed to delete app: ${message}`}
      onDone={drop}
      onClose={onClose}
    />
  )
}
