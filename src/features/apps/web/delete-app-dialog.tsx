import { plural, t } from '@lingui/core/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { forgetApp } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import { failureTextWithCause, successText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import { paths } from '#web/navigation/paths.ts'
import { refreshPlanUsage } from '#features/plans/web/plan-usage.ts'
import { appKeyOf } from '#web/api/query-keys.ts'
import { type App, appsQuery } from '#web/session/session.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
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

/**
 * Deletes an app, refreshes the list and goes to /manage-apps; without any app, the route guard redirects from there.
 */
function useDeleteApp({ appId }: App) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => call('POST /delete_app', { appId, body: { appId } }),
    onSuccess: async (reply) => {
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
      notify.success(successText(reply))
      // The button that opened the dialog has been removed with the app.
      requestAnimationFrame(() => document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true }))
    },
  })
}

export function DeleteAppDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const { appName } = app
  const remove = useDeleteApp(app)
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
    <ConfirmDialog
      title={t`Delete ${appName}?`}
      description={t`This action cannot be undone. All programs that use it are rejected from then on.`}
      impact={impact}
      typedName={appName}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      confirmLabel={t`Delete App`}
      busy={remove.isPending}
      error={
        remove.error
          ? failureTextWithCause(
              remove.error,
              t`Failed to delete app`,
              (message) => t`Failed to delete app: ${message}`,
            )
          : undefined
      }
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  )
}
