import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { AppWindow, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useListPage } from '#web/list/use-list-page.ts'
import { paths } from '#web/navigation/paths.ts'
import type { App } from '#web/session/session.ts'
import { useSelectedApp } from '#web/session/use-account.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { FacetLine } from '#web/table/facet-line.tsx'
import { buttonStyle } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useAppColumns } from './apps-columns.tsx'
import { appList, useSelectApp } from './apps-data.ts'
import { appStatus } from './arrange-apps.ts'
import { ManageAppsHelp } from './manage-apps-help.tsx'

const DeleteAppDialog = lazyDialog(() => import('./delete-app-dialog.tsx'), 'DeleteAppDialog')

const DisableAppDialog = lazyDialog(() => import('./disable-app-dialog.tsx'), 'DisableAppDialog')

function CreateAppLink() {
  return (
    <Link to={paths.createApp()} className={buttonStyle({ variant: 'primary' })}>
      <Plus />
      {t`Create New App`}
    </Link>
  )
}

/** All apps of the owner. */
export function ManageAppsPage() {
  const list = useListPage(appList)
  const { data: apps, state, dialog } = list
  const current = useSelectedApp()
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
  const countOf = (status: string) => apps?.filter((app) => appStatus(app) === status).length
  return (
    <>
      <PageHeader title={t`Manage Apps`} actions={<CreateAppLink />} />
      <DataTable
        id="apps"
        label={t`Apps`}
        list={list}
        columns={columns}
        rowLabel={({ appName }) => appName}
        errorText={t`Failed to load apps`}
        searchPlaceholder={t`Name, version, description`}
        facets={
          <FacetLine
            label={t`Apps by status`}
            filter="status"
            filterLabel={t`Status`}
            single
            state={state}
            total={{ label: t`Total Apps`, count: apps?.length }}
            facets={[
              { value: 'enabled', label: t`Active Apps`, count: countOf('enabled') },
              { value: 'disabled', label: t`Disabled Apps`, count: countOf('disabled') },
            ]}
          />
        }
        empty={
          <EmptyState icon={<AppWindow />} title={t`No apps found`} actions={<CreateAppLink />}>
            {t`An app is one program that you protect, with its own licenses, users and keys.`}
          </EmptyState>
        }
      />
      <ManageAppsHelp />
      <ListDialogs
        list={list}
        row={{
          'disable-app': (app) => <DisableAppDialog app={app} onClose={dialog.close} />,
          'delete-app': (app) => <DeleteAppDialog app={app} onClose={dialog.close} />,
        }}
        rowMissing={t`App not found`}
      />
    </>
  )
}
