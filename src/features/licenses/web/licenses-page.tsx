import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { AppPage } from '#web/list/app-page.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useListPage } from '#web/list/use-list-page.ts'
import type { App } from '#web/session/session.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { LicenseFilters } from './license-filters.tsx'
import { EndNote } from './end-note.tsx'
import { licenseColumns } from './licenses-columns.tsx'
import { type License, licenseList } from './licenses-data.ts'
import { LicenseFacets, licenseMenu, LicensesBulkBar, LicensesHeader, NoLicenses } from './licenses-menus.tsx'

const TimeRangeDialog = lazyDialog(() => import('#web/list/time-range-dialog.tsx'), 'TimeRangeDialog')
const CreateLicensesForm = lazyDialog(() => import('./licenses-form.tsx'), 'CreateLicensesForm')
const EditLicenseForm = lazyDialog(() => import('./licenses-form.tsx'), 'EditLicenseForm')
const BanLicenseDialog = lazyDialog(() => import('./license-row-actions.tsx'), 'BanLicenseDialog')
const DeleteLicenseDialog = lazyDialog(() => import('./license-row-actions.tsx'), 'DeleteLicenseDialog')
const LicenseBulkDialog = lazyDialog(() => import('./license-bulk-actions.tsx'), 'LicenseBulkDialog')
const WholeLicenseListDialog = lazyDialog(() => import('./license-bulk-actions.tsx'), 'WholeLicenseListDialog')
const ExportLicensesDialog = lazyDialog(() => import('./export-licenses-dialog.tsx'), 'ExportLicensesDialog')

export function LicensesPage() {
  const withoutApp = t`Choose an app at the top of the sidebar. Each app has its own license keys.`
  return (
    <AppPage title={t`Licenses`} withoutApp={withoutApp}>
      {(app) => <LicensesTable app={app} />}
    </AppPage>
  )
}

function LicensesTable({ app }: { app: App }) {
  const list = useListPage(licenseList)
  const { selection } = list
  const { open, close } = list.dialog
  const rowMenu = useCallback((row: License) => licenseMenu(row, open), [open])

  const unselect = (keys: readonly string[]) => selection.setPage(keys, false)
  const handlers = { app, onDone: list.finish, onClose: close }
  const bulk = { onPart: unselect, ...handlers }
  return (
    <>
      <LicensesHeader list={list} />
      <DataTable
        id="licenses"
        panelKind="license"
        label={t`Licenses`}
        newestFirst
        list={list}
        columns={useColumns(licenseColumns)}
        rowLabel={list.rowId}
        errorText={t`Failed to load licenses`}
        searchPlaceholder={t`Key, user, notes`}
        facets={
          <>
            <LicenseFacets list={list} appName={app.appName} />
            <EndNote state={list.state} />
          </>
        }
        filters={<LicenseFilters list={list} />}
        bulkBar={<LicensesBulkBar list={list} />}
        rowMenu={rowMenu}
        empty={<NoLicenses onCreate={() => open('create')} />}
      />
      <ListDialogs
        list={list}
        page={{
          create: () => <CreateLicensesForm app={app} used={list.data?.counts.total} onClose={close} />,
          created: () => <TimeRangeDialog list={list} filter="created" />,
          redeemed: () => <TimeRangeDialog list={list} filter="redeemed" />,
          expires: () => <TimeRangeDialog list={list} filter="expires" />,
          export: () => list.data && <ExportLicensesDialog app={app} list={list} />,
          'delete-unused': () => <WholeLicenseListDialog name="delete-unused" {...handlers} />,
          'delete-used': () => <WholeLicenseListDialog name="delete-used" {...handlers} />,
          'delete-all': () => <WholeLicenseListDialog name="delete-all" {...handlers} />,
        }}
        row={{
          edit: (row) => <EditLicenseForm license={row} onClose={close} />,
          ban: (row) => <BanLicenseDialog license={row} onClose={close} />,
          delete: (row) => <DeleteLicenseDialog license={row} onDone={list.finish} onClose={close} />,
        }}
        rowMissing={t`License not found`}
        selected={{
          'add-time': (target) => <LicenseBulkDialog action="add-time" target={target} {...bulk} />,
          'ban-selected': (target) => <LicenseBulkDialog action="ban" target={target} {...bulk} />,
          'unban-selected': (target) => <LicenseBulkDialog action="unban" target={target} {...bulk} />,
          'delete-selected': (target) => <LicenseBulkDialog action="delete" target={target} {...bulk} />,
        }}
        noneSelected={t`No licenses selected`}
      />
    </>
  )
}
