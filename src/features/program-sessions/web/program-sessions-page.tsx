import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { MonitorSmartphone, RotateCw, Trash2 } from 'lucide-react'
import { useCallback } from 'react'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { AppPage } from '#web/list/app-page.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useListPage } from '#web/list/use-list-page.ts'
import { type App, appsQuery } from '#web/session/session.ts'
import { BulkBar } from '#web/table/bulk-bar.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { MoreActions } from '#web/ui/more-actions.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { sessionColumns } from './program-sessions-columns.tsx'
import { type ProgramSession, refreshSessions, sessionLabel, sessionList } from './program-sessions-data.ts'
import { moreMenu, SessionFacets, SessionFilters, sessionMenu } from './program-sessions-menus.tsx'

const TimeRangeDialog = lazyDialog(() => import('#web/list/time-range-dialog.tsx'), 'TimeRangeDialog')
const DeleteSessionDialog = lazyDialog(() => import('./delete-sessions-dialog.tsx'), 'DeleteSessionDialog')
const DeleteSessionsDialog = lazyDialog(() => import('./delete-sessions-dialog.tsx'), 'DeleteSessionsDialog')

export function ProgramSessionsPage() {
  const withoutApp = t`Choose an app at the top of the sidebar. Each app has its own sessions.`
  return (
    <AppPage title={t`Sessions`} withoutApp={withoutApp}>
      {(app) => <SessionsTable app={app} />}
    </AppPage>
  )
}

/** A session becomes inactive without a call; polling keeps the count in the sidebar current. */
const refetchInterval = 60_000

function SessionsTable({ app }: { app: App }) {
  const list = useListPage(sessionList)
  const { total, state } = list
  const { setFilter } = state
  useQuery({ ...appsQuery, refetchInterval })
  const { open, close } = list.dialog
  const rowMenu = useCallback((row: ProgramSession) => sessionMenu(row, { setFilter, open }), [setFilter, open])
  const isEmpty = total === 0 && !state.isFiltered
  const handlers = { onDone: list.finish, onClose: close }
  return (
    <>
      <PageHeader
        title={t`Sessions`}
        actions={
          <>
            <MoreActions entries={() => moreMenu(isEmpty, open)} />
            <Button icon={<RotateCw />} onClick={() => void refreshSessions()}>{t`Refresh`}</Button>
          </>
        }
      />
      <DataTable
        id="sessions"
        panelKind="session"
        label={t`Sessions`}
        newestFirst
        list={list}
        columns={useColumns(sessionColumns)}
        rowLabel={sessionLabel}
        errorText={t`Failed to load sessions`}
        searchPlaceholder={t`ID, user, IP or HWID`}
        facets={<SessionFacets list={list} />}
        filters={<SessionFilters list={list} />}
        bulkBar={
          <BulkBar list={list} canSelectAllMatching>
            <Button variant="danger" icon={<Trash2 />} onClick={() => open('delete-selected')}>{t`Delete`}</Button>
          </BulkBar>
        }
        rowMenu={rowMenu}
        empty={
          <EmptyState icon={<MonitorSmartphone />} title={t`No sessions yet`}>
            {t`Your program starts a session each time it runs, and extends it with heartbeats. When you delete a session, the next call of its program is rejected.`}
          </EmptyState>
        }
      />
      <ListDialogs
        list={list}
        page={{
          created: () => <TimeRangeDialog list={list} filter="created" />,
          seen: () => <TimeRangeDialog list={list} filter="seen" />,
          'delete-all': () =>
            list.data && (
              <DeleteSessionsDialog
                app={app}
                target={{ filter: {} }}
                countedAt={list.data.readAt}
                isAll
                {...handlers}
              />
            ),
        }}
        row={{ delete: (row) => <DeleteSessionDialog session={row} {...handlers} /> }}
        rowMissing={t`Session not found`}
        selected={{
          'delete-selected': (target) => (
            <DeleteSessionsDialog app={app} target={target} countedAt={list.data?.readAt} {...handlers} />
          ),
        }}
        noneSelected={t`No sessions selected`}
      />
    </>
  )
}
