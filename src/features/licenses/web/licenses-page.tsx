import { t } from '@lingui/core/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { localeStore } from '#web/locale.ts'
import { type App, useSelectedApp } from '#web/session.ts'
import { useStore } from '#web/store.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useSelection } from '#web/table/selection.ts'
import { useTableState } from '#web/table/use-table-state.ts'
import { NoAppSelected } from '#web/ui/no-app-selected.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useDialog } from '#web/use-dialog.ts'
import { useIsPhone } from '#web/use-media.ts'
import { LicenseActions, licenseMenu, useLicenseShortcuts } from './license-actions.tsx'
import { useLicenseColumns } from './license-columns.tsx'
import { LicenseDialogs } from './license-dialogs.tsx'
import { LicenseFilters } from './license-filters.tsx'
import { type License, licenseFilter, licensesQuery, licenseTableOptions } from './license-list.ts'
import { LicenseStats } from './license-stats.tsx'
import { LicensesBulkBar } from './licenses-bulk-bar.tsx'
import { NoLicenses } from './no-licenses.tsx'

const keyOf = ({ license }: License) => license

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
  const dialog = useDialog()
  const empty = <NoLicenses onCreate={() => dialog.open('create')} />

  const state = useTableState(licenseTableOptions)
  const filter = licenseFilter(state)
  const { data, isFetching, error, refetch } = useQuery({
    ...licensesQuery({ page: state.page, limit: state.limit, ...filter }),
    placeholderData: keepPreviousData,
  })
  const rows = data?.licenses
  const total = data?.total ?? 0
  const pageIds = useMemo(() => rows?.map(keyOf) ?? [], [rows])
  const selection = useSelection(JSON.stringify(filter))

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
        status={filter.status}
        onStatus={(status) => state.setFilter('status', status)}
      />
      <DataTable
        id="licenses"
        label={t`Licenses`}
        columns={columns}
        rows={rows}
        total={total}
        rowId={keyOf}
        rowLabel={keyOf}
        state={state}
        fetching={isFetching}
        error={error}
        errorText={t`Failed to load licenses`}
        onRetry={() => void refetch()}
        searchPlaceholder={t`Key, user, notes`}
        filters={<LicenseFilters state={state} />}
        selection={selection}
        bulkBar={<LicensesBulkBar dialog={dialog} selection={selection} total={total} pageIds={pageIds} />}
        rowMenu={rowMenu}
        onOpen={isPhone ? undefined : onOpen}
        empty={empty}
      />
      <LicenseDialogs {...{ app, dialog, selection, filter, rows, total }} counts={data?.counts} />
    </>
  )
}
