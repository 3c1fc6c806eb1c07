import { plural, t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { ChartNoAxesColumn, Download, RotateCw, ScrollText, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useStore } from '#web/browser/store.ts'
import { useIsPhone } from '#web/browser/use-media.ts'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { AppPage } from '#web/list/app-page.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useListPage } from '#web/list/use-list-page.ts'
import { paths } from '#web/navigation/paths.ts'
import { usePanel } from '#web/panel/use-panel.ts'
import type { App } from '#web/session/session.ts'
import { BulkBar } from '#web/table/bulk-bar.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { setFollowLogs } from '#web/table/preference-sync.ts'
import { followLogsStore } from '#web/table/stored-preferences.ts'
import type { TableState } from '#web/table/use-table-state.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { MoreActions } from '#web/ui/more-actions.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useLiveLogs } from './live-logs.ts'
import { LiveSwitch } from './live-switch.tsx'
import { LogFilters } from './log-filters.tsx'
import { LogHistogram, type LogHistogramProps } from './log-histogram.tsx'
import { LogTabs } from './log-tabs.tsx'
import { logColumns } from './logs-columns.tsx'
import { type Log, logList } from './logs-data.ts'
import { logMenu, moreMenu } from './logs-menus.tsx'

const TimeRangeDialog = lazyDialog(() => import('#web/list/time-range-dialog.tsx'), 'TimeRangeDialog')
const DeleteLogDialog = lazyDialog(() => import('./logs-dialogs.tsx'), 'DeleteLogDialog')
const DeleteLogsDialog = lazyDialog(() => import('./logs-dialogs.tsx'), 'DeleteLogsDialog')
const DeleteAllLogsDialog = lazyDialog(() => import('./logs-dialogs.tsx'), 'DeleteAllLogsDialog')
const ExportLogsDialog = lazyDialog(() => import('./export-logs-dialog.tsx'), 'ExportLogsDialog')
const RetentionDialog = lazyDialog(() => import('./logs-dialogs.tsx'), 'RetentionDialog')

/** Portuguese in all languages (LOG-2). */
const emptyTitle = <span lang="pt-BR">Nenhum log encontrado ainda.</span>

export function LogsPage() {
  return (
    <AppPage title={t`Logs`} withoutApp={t`Choose an app at the top of the sidebar. Each app has its own logs.`}>
      {(app) => <LogsTable app={app} />}
    </AppPage>
  )
}

const entryLimitText = (count: number) =>
  plural(count, {
    one: 'Only the newest # entry is kept.',
    other: 'Only the newest # entries are kept.',
  })
const rowLabel = ({ id }: Log) => t`log ${id}`

function LogsTable({ app }: { app: App }) {
  const list = useListPage(logList)
  const { data, total, state } = list
  const { open, close } = list.dialog
  const navigate = useNavigate()
  const explain = useCallback((q: string) => void navigate({ to: paths.why(), search: { q } }), [navigate])
  const { setFilter } = state
  const rowMenu = useCallback((row: Log) => logMenu(row, { setFilter, open, explain }), [setFilter, open, explain])
  const isEmpty = total === 0 && !state.isFiltered
  const [isPointing, setIsPointing] = useState(false)
  const isReading = usePanel().subject !== undefined
  const isPaused = isPointing || isReading || list.selected > 0 || list.dialog.name !== undefined
  const { live, isFollowing, follow } = useFollowedLogs({ app, isPaused, state })
  const handlers = { onDone: list.finish, onClose: close }
  return (
    <>
      <PageHeader
        title={t`Logs`}
        description={data && entryLimitText(data.maxEntries)}
        actions={
          <>
            <LiveSwitch live={live} isOn={isFollowing} onChange={follow} />
            <MoreActions entries={() => moreMenu(isEmpty, open)} />
            <Button icon={<RotateCw />} onClick={() => void logList.refresh()}>{t`Refresh`}</Button>
          </>
        }
      />
      <TabsAndChart state={state} page={data} isFollowing={live.state === 'live'} />
      <div
        onPointerEnter={({ pointerType }) => setIsPointing(pointerType === 'mouse')}
        onPointerLeave={() => setIsPointing(false)}
      >
        <DataTable
          id="logs"
          label={t`Logs`}
          newestFirst
          list={list}
          columns={useColumns(logColumns)}
          rowLabel={rowLabel}
          errorText={t`Failed to load logs`}
          searchPlaceholder={t`Text, user, HWID, IP, code`}
          filters={<LogFilters list={list} page={data} />}
          bulkBar={
            <BulkBar list={list} canSelectAllMatching>
              <Button icon={<Download />} onClick={() => open('export')}>{t`Export`}</Button>
              <Button variant="danger" icon={<Trash2 />} onClick={() => open('delete-selected')}>{t`Delete`}</Button>
            </BulkBar>
          }
          rowMenu={rowMenu}
          panelKind="log"
          panelButton
          empty={
            <EmptyState icon={<ScrollText />} title={emptyTitle}>
              {t`No logs yet. Your programs' activity appears here as it happens: starts, sign-ins, rejections with their reason, and messages that programs write themselves.`}
            </EmptyState>
          }
        />
      </div>
      <ListDialogs
        list={list}
        page={{
          days: () => <TimeRangeDialog list={list} filter="days" />,
          export: () => data && <ExportLogsDialog app={app} list={list} all={data.all} />,
          retention: () => data && <RetentionDialog days={data.retentionDays} onClose={close} />,
          'delete-all': () =>
            data && <DeleteAllLogsDialog app={app} newestId={data.newestId ?? undefined} {...handlers} />,
        }}
        row={{ delete: (row) => <DeleteLogDialog log={row} {...handlers} /> }}
        rowMissing={t`Log not found`}
        selected={{
          'delete-selected': (target) => (
            <DeleteLogsDialog app={app} target={target} newestId={data?.newestId ?? undefined} {...handlers} />
          ),
        }}
        noneSelected={t`No logs selected`}
      />
    </>
  )
}

/**
 * Follows new entries while the person wants that, in every app and browser. They come in on top, so the list must have
 * the newest first.
 */
function useFollowedLogs({ app, isPaused, state }: { app: App; isPaused: boolean; state: TableState }) {
  const isOn = useStore(followLogsStore)
  const isOldestFirst = state.sort?.descending === false
  const isFollowing = isOn && !isOldestFirst
  const live = useLiveLogs({ app, isOn: isFollowing, isPaused, request: state })
  const follow = (isWanted: boolean) => {
    setFollowLogs(isWanted)
    if (isWanted && isOldestFirst) state.setSort(undefined)
  }
  return { live, isFollowing, follow }
}

/** On phones, rows come first, and the chart is shown on request. */
function TabsAndChart(props: Omit<LogHistogramProps, 'isPhone'>) {
  const isPhone = useIsPhone()
  const [isCharted, setIsCharted] = useState(false)
  return (
    <>
      <div className="flex items-start justify-between gap-2">
        <LogTabs />
        {isPhone && props.page?.all !== 0 && (
          <IconButton
            label={t`Entries over time`}
            icon={<ChartNoAxesColumn />}
            aria-pressed={isCharted}
            onClick={() => setIsCharted(!isCharted)}
          />
        )}
      </div>
      {(isCharted || !isPhone) && <LogHistogram {...props} isPhone={isPhone} />}
    </>
  )
}
