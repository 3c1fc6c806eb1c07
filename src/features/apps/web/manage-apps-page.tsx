import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AppWindow, Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { paths } from '#web/paths.ts'
import { type App, appsQuery, useSelectedApp } from '#web/session.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useTableState } from '#web/table/use-table-state.ts'
import { buttonStyle } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatStrip } from '#web/ui/stat-strip.tsx'
import { useDialog } from '#web/use-dialog.ts'
import { useAppColumns } from './app-columns.tsx'
import { appList } from './app-list.ts'
import { appStatus, appStatuses } from './app-status.ts'
import { ManageAppsHelp } from './manage-apps-help.tsx'
import { useSelectApp } from './use-select-app.ts'

const DeleteAppDialog = lazy(() =>
  import('./delete-app-dialog.tsx').then((module) => ({ default: module.DeleteAppDialog })),
)

const DisableAppDialog = lazy(() =>
  import('./disable-app-dialog.tsx').then((module) => ({ default: module.DisableAppDialog })),
)

const tableOptions = { filters: { status: appStatuses }, sorts: ['name', 'created'] }
const appIdOf = ({ appId }: App) => appId
const appNameOf = ({ appName }: App) => appName

function CreateAppLink() {
  return (
    <Link to={paths.createApp()} className={buttonStyle({ variant: 'primary' })}>
      <Plus />
      {t`Create New App`}
    </Link>
  )
}

/** All apps of the owner (part 2 §2 /manage-apps). */
export function ManageAppsPage() {
  const { data: apps, error, isFetching, refetch } = useQuery(appsQuery)
  const current = useSelectedApp()
  const state = useTableState(tableOptions)
  const dialog = useDialog()
  const onSelect = useSelectApp()
  const { open } = dialog
  const handlers = useMemo(
    () => ({
      onSelect,
      onDisable: (app: App) => open('disable-app', app.appId),
      onDelete: (app: App) => open('delete-app', app.appId),
    }),
    [onSelect, open],
  )
  const columns = useAppColumns(current?.appId, handlers)
  const { rows, total } = appList(apps ?? [], state)
  const countText = (count: number | undefined) => count?.toLocaleString(document.documentElement.lang)
  const countOf = (status: string) => countText(apps?.filter((app) => appStatus(app) === status).length)
  const inDialog = apps?.find(({ appId }) => appId === dialog.row)

  // The rows that are shown came from an earlier answer; the table only shows a failure when there are none.
  useEffect(() => {
    if (error) notify.error(failureText(error, t`Failed to load apps`))
  }, [error])

  const statOf = (label: string, status: 'enabled' | 'disabled' | undefined, value: string | undefined) => ({
    label,
    value,
    selected: state.filters.status === status,
    onSelect: () => state.setFilter('status', status),
  })
  return (
    <>
      <PageHeader title={t`Manage Apps`} actions={<CreateAppLink />} />
      <StatStrip
        label={t`Apps by status`}
        stats={[
          statOf(t`Total Apps`, undefined, countText(apps?.length)),
          statOf(t`Active Apps`, 'enabled', countOf('enabled')),
          statOf(t`Disabled Apps`, 'disabled', countOf('disabled')),
        ]}
      />
      <DataTable
        id="apps"
        label={t`Apps`}
        columns={columns}
        rows={apps && rows}
        total={total}
        rowId={appIdOf}
        rowLabel={appNameOf}
        state={state}
        fetching={isFetching}
        error={error}
        errorText={t`Failed to load apps`}
        onRetry={() => void refetch()}
        searchPlaceholder={t`Name, version, description`}
        empty={
          <EmptyState icon={<AppWindow />} title={t`No apps found`} actions={<CreateAppLink />}>
            {t`An app is one program that you protect, with its own licenses, users and keys.`}
          </EmptyState>
        }
      />
      <ManageAppsHelp />
      <Suspense fallback={null}>
        {dialog.name === 'disable-app' && inDialog && <DisableAppDialog app={inDialog} onClose={dialog.close} />}
        {dialog.name === 'delete-app' && inDialog && <DeleteAppDialog app={inDialog} onClose={dialog.close} />}
      </Suspense>
    </>
  )
}
