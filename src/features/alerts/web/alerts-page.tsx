import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ScanSearch, ShieldAlert, SlidersHorizontal } from 'lucide-react'
import { call } from '#web/api/call.ts'
import { notifyOutcome } from '#web/api/notify-outcome.ts'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { AppPage } from '#web/list/app-page.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { TimeRangeChip } from '#web/list/time-range-chip.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { type FilteredList, useListPage } from '#web/list/use-list-page.ts'
import { useIsPhone } from '#web/browser/use-media.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { FacetLine } from '#web/table/facet-line.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import type { TableState } from '#web/table/use-table-state.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { alertKinds, alertScopes, alertSeverities, alertStatuses, alertTypes } from '../alerts.rules.ts'
import { kindTexts, scopeTexts, severityTexts, statusTexts } from './alert-kind-texts.ts'
import { AlertsBulkBar } from './alerts-bulk-bar.tsx'
import { alertActions, alertColumns } from './alerts-columns.tsx'
import { type Alert, alertList, alertStatsQuery, refreshAlerts } from './alerts-data.ts'
import { CountryNotice } from './country-notice.tsx'

const TimeRangeDialog = lazyDialog(() => import('#web/list/time-range-dialog.tsx'), 'TimeRangeDialog')
const ThresholdsDialog = lazyDialog(() => import('./thresholds-dialog.tsx'), 'ThresholdsDialog')

const labelOf = ({ type, details }: Alert) => `${i18n._(kindTexts[type].title)} ${details.key}`

export function AlertsPage() {
  const withoutApp = t`Choose an app at the top of the sidebar. Each app has its own alerts.`
  return (
    <AppPage title={t`Security alerts`} withoutApp={withoutApp}>
      {() => <AlertsTable />}
    </AppPage>
  )
}

function AlertsTable() {
  const list = useListPage(alertList)
  const isPhone = useIsPhone()
  const { open, close } = list.dialog
  const run = useMutation({
    mutationFn: () => notifyOutcome(() => call('POST /alerts/run-detection', { body: {} }), t`Failed to run detection`),
    onSettled: refreshAlerts,
  })
  return (
    <>
      <PageHeader
        title={t`Security alerts`}
        actions={
          <>
            <Button icon={<SlidersHorizontal />} onClick={() => open('thresholds')}>{t`Alert settings`}</Button>
            <Button variant="primary" icon={<ScanSearch />} busy={run.isPending} onClick={() => run.mutate()}>
              {t`Run Detection`}
            </Button>
          </>
        }
      />
      {!isPhone && <CountryNotice />}
      <DataTable
        id="alerts"
        label={t`Alerts`}
        newestFirst
        list={list}
        columns={useColumns(alertColumns)}
        rowLabel={labelOf}
        errorText={t`Failed to load alerts`}
        searchPlaceholder={t`User, key, IP, HWID, ID`}
        facets={<Facets state={list.state} />}
        filters={<Filters list={list} />}
        bulkBar={<AlertsBulkBar list={list} />}
        rowMenu={alertActions}
        panelKind="alert"
        empty={
          <EmptyState
            icon={<ShieldAlert />}
            title={t`No alerts found. Click "Run Detection" to scan for suspicious activity.`}
          >
            {t`New activity is also scanned automatically every minute.`}
          </EmptyState>
        }
      />
      {/* On a phone the alerts themselves come first. */}
      {isPhone && (
        <div className="mt-4 empty:hidden">
          <CountryNotice />
        </div>
      )}
      <ListDialogs
        list={list}
        page={{
          thresholds: () => <ThresholdsDialog onClose={close} />,
          raised: () => <TimeRangeDialog list={list} filter="raised" />,
        }}
        rowMissing={t`Alert not found`}
      />
    </>
  )
}

/** How many alerts have each severity, and how many are new. */
function Facets({ state }: { state: TableState }) {
  const { data } = useQuery(alertStatsQuery())
  const ofSeverity = alertSeverities.map((value) => ({
    value,
    label: i18n._(severityTexts[value]),
    count: data?.bySeverity[value],
  }))
  const isNew = {
    value: 'new',
    filter: 'status',
    label: t({ message: 'New', context: 'alerts' }),
    count: data?.byStatus.new,
  }
  return (
    <FacetLine
      label={t`Alert counts`}
      filter="severity"
      filterLabel={t`Severity`}
      state={state}
      total={{ label: t({ message: 'All', context: 'alerts' }), count: data?.total }}
      facets={[...ofSeverity, isNew]}
    />
  )
}

/** The ranges that the filter by time offers, in days. */
const raisedDays = [1, 7, 30, 90] as const

function Filters({ list }: { list: FilteredList }) {
  const { filters, setFilter } = list.state
  const { data } = useQuery(alertStatsQuery())
  return (
    <>
      <FilterChip
        label={t`Type`}
        several
        value={filters.type}
        options={[]}
        groups={alertScopes.map((scope) => ({
          label: i18n._(scopeTexts[scope]),
          options: alertTypes
            .filter((type) => alertKinds[type].scope === scope)
            .map((type) => ({
              value: type,
              label: i18n._(kindTexts[type].title),
              count: data && (data.byType[type] ?? 0),
            })),
        }))}
        onChange={(value) => setFilter('type', value)}
      />
      <FilterChip
        label={t`Status`}
        several
        value={filters.status}
        options={alertStatuses.map((value) => ({
          value,
          label: i18n._(statusTexts[value]),
          count: data?.byStatus[value],
        }))}
        onChange={(value) => setFilter('status', value)}
      />
      <TimeRangeChip label={t`Raised`} list={list} filter="raised" days={raisedDays} />
    </>
  )
}
