import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { call } from '#web/call.ts'
import { failureTextWithCause } from '#web/errors.ts'
import { appKeyOf } from '#web/query-keys.ts'
import type { App } from '#web/session.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useDeleteApp } from './use-delete-app.ts'

/** How much goes with the app; `undefined` until it is known. */
function useLicenseCount({ appId }: App): number | undefined {
  const { data } = useQuery({
    queryKey: appKeyOf(appId, 'license-count'),
    queryFn: async ({ signal }) => (await call('GET /licenses', { query: { page: 1, limit: 1 }, appId, signal })).total,
    staleTime: 0,
    retry: false,
  })
  return data
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
      description={t`This action cannot be undone. Every program that asks for it is refused from then on.`}
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
