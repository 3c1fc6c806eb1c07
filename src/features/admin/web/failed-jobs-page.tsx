import { t } from '@lingui/core/macro'
import { Check, RotateCw, Trash2 } from 'lucide-react'
import { useCallback } from 'react'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useListPage } from '#web/list/use-list-page.ts'
import { BulkBar } from '#web/table/bulk-bar.tsx'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { agoCells } from '#web/table/time-cells.tsx'
import { type FailedJob, failedJobList, refreshFailedJobs, retryJobs } from './failed-jobs-data.ts'
import { kindText } from './failed-jobs-texts.ts'

const DiscardJobsDialog = lazyDialog(() => import('./discard-jobs-dialog.tsx'), 'DiscardJobsDialog')

const columns = (): readonly Column<FailedJob>[] => [
  {
    id: 'kind',
    header: t`Job`,
    width: 210,
    cell: ({ kind }) => kindText(kind),
    cardCell: ({ kind }) => kindText(kind),
  },
  {
    id: 'error',
    header: t`Last error`,
    width: 420,
    sortable: true,
    card: 1,
    cell: ({ error }) => <ErrorText error={error} />,
    cardCell: ({ error }) => <ErrorText error={error} />,
  },
  {
    id: 'attempts',
    header: t`Attempts`,
    width: 100,
    yields: 2,
    sortable: true,
    align: 'end',
    cell: ({ attempts }) => attempts,
  },
  {
    id: 'failed',
    header: t`Failed at`,
    width: 150,
    sortable: true,
    card: 2,
    ...agoCells(({ failedAt }) => failedAt),
  },
  {
    id: 'created',
    header: t`Created at`,
    width: 150,
    sortable: true,
    yields: 1,
    ...agoCells(({ createdAt }) => createdAt),
  },
]

/** Errors are in the words of the server. */
const ErrorText = ({ error }: { error: string }) => (
  <span className="machine block truncate text-text-2" title={error} translate="no">
    {error}
  </span>
)

const rowLabel = ({ kind, id }: FailedJob) => `${kindText(kind)} ${id}`

function jobMenu(row: FailedJob, open: (name: string, row: string) => void): MenuEntry[] {
  const id = failedJobList.rowId(row)
  return [
    { label: t`Retry`, icon: <RotateCw />, onSelect: () => void retryJobs([id]) },
    { kind: 'separator' },
    { label: t`Discard`, icon: <Trash2 />, danger: true, onSelect: () => open('discard', id) },
  ]
}

/** Background work that failed its last attempt. */
export function FailedJobsPage() {
  const list = useListPage(failedJobList)
  const { state, data, selection } = list
  const { open, close } = list.dialog
  const rowMenu = useCallback((row: FailedJob) => jobMenu(row, open), [open])
  const retrySelected = async () => {
    const ids = [...selection.ids]
    selection.clear()
    await retryJobs(ids)
  }
  const handlers = { onDone: list.finish, onClose: close }
  return (
    <>
      <PageHeader
        title={t`Failed jobs`}
        description={t`Background work that failed its last attempt. It waits here until you retry or discard it.`}
        actions={<Button icon={<RotateCw />} onClick={() => void refreshFailedJobs()}>{t`Refresh`}</Button>}
      />
      <DataTable
        id="admin-jobs"
        label={t`Failed jobs`}
        list={list}
        columns={useColumns(columns)}
        rowLabel={rowLabel}
        errorText={t`Failed to load failed jobs`}
        searchPlaceholder={t`Error or job ID`}
        filters={
          <FilterChip
            label={t`Job`}
            value={state.filters['kind']}
            options={(data?.kinds ?? []).map((value) => ({ value, label: kindText(value) }))}
            onChange={(value) => state.setFilter('kind', value)}
          />
        }
        rowMenu={rowMenu}
        bulkBar={
          <BulkBar list={list}>
            <Button icon={<RotateCw />} onClick={() => void retrySelected()}>{t`Retry`}</Button>
            <Button variant="danger" icon={<Trash2 />} onClick={() => open('discard-selected')}>{t`Discard`}</Button>
          </BulkBar>
        }
        empty={
          <EmptyState icon={<Check />} title={t`No failed jobs`}>
            {t`Signet repeats emails, webhook deliveries, and other background work when they fail. Work that fails for good appears here.`}
          </EmptyState>
        }
      />
      <ListDialogs
        list={list}
        row={{ discard: (row) => <DiscardJobsDialog ids={[failedJobList.rowId(row)]} {...handlers} /> }}
        rowMissing={t`This job has already been retried or discarded`}
        selected={{ 'discard-selected': () => <DiscardJobsDialog ids={[...selection.ids]} {...handlers} /> }}
        noneSelected={t`No jobs selected`}
      />
    </>
  )
}
