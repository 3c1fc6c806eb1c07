import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { useListPage } from '#web/list/use-list-page.ts'
import { localeStore } from '#web/locale.ts'
import type { App } from '#web/session.ts'
import { useSelectedApp } from '#web/use-account.ts'
import { useStore } from '#web/store.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { NoAppSelected } from '#web/ui/no-app-selected.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useIsPhone } from '#web/use-media.ts'
import { LicenseActions, licenseMenu, useLicenseShortcuts } from './license-actions.tsx'
import { useLicenseColumns } from './license-columns.tsx'
import { LicenseDialogs } from './license-dialogs.tsx'
import { LicenseFilters } from './license-filters.tsx'
import { type License, licenseList } from './license-list.ts'
import { LicenseStats } from './license-stats.tsx'
import { LicensesBulkBar } from './licenses-bulk-bar.tsx'
import { NoLicenses } from './no-licenses.tsx'

export function LicensesPage() {
  const app = useSelectedApp()
  return app ? (
    <LicensesTable app={app} />
  ) : (
    <NoAppSelected
      title={t`Licenses`}
      text={t`Choose an app at the top of the sidebar: license keys belong to one app each.`}
    />
  )
}

function LicensesTable({ app }: { app: App }) {
  const list = useListPage(licenseList)
  const { state, data, rows, total, filter, selection, pageIds, dialog } = list
  const columns = useLicenseColumns(useStore(localeStore))

  const { open } = dialog
  useLicenseShortcuts(open)
  const rowMenu = useCallback((row: License) => licenseMenu(open, row), [open])
  // A phone's card needs the room for its key; its menu has the details.
  const isPhone = useIsPhone()
  const onOpen = useCallback((row: License) => open('license', row.license), [open])

  return (
    <>
      <PageHeader
        title={t`Licenses`}
        actions={<LicenseActions dialog={dialog} selected={selection.count(total)} counts={data?.counts} />}
      />
      <LicenseStats
        counts={data?.counts}
        appName={app.appName}
        status={state.filters.status}
        onStatus={(status) => state.setFilter('status', status)}
      />
      <DataTable
        id="licenses"
        label={t`Licenses`}
        list={list}
        columns={columns}
        rowLabel={list.rowId}
        errorText={t`Failed to load licenses`}
        searchPlaceholder={t`Key, user, notes`}
        filters={<LicenseFilters state={state} />}
        bulkBar={<LicensesBulkBar dialog={dialog} selection={selection} total={total} pageIds={pageIds} />}
        rowMenu={rowMenu}
        onOpen={isPhone ? undefined : onOpen}
        empty={<NoLicenses onCreate={() => open('create')} />}
      />
      <LicenseDialogs {...{ app, dialog, selection, filter, rows, total }} counts={data?.counts} />
    </>
  )
}
