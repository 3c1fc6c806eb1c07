import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { binKinds, binRetentionDays } from '#contract/bin.ts'
import { AppPage } from '#web/list/app-page.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useListPage } from '#web/list/use-list-page.ts'
import type { App } from '#web/session/session.ts'
import { BulkBar } from '#web/table/bulk-bar.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import type { TableState } from '#web/table/use-table-state.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { MoreActions } from '#web/ui/more-actions.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { deletedColumns, deletedMenu } from './deleted-columns.tsx'
import { type DeletedItem, deletedList, type DeletedList, kindTexts, restoreItems } from './deleted-data.ts'

const DeleteForGoodDialog = lazyDialog(() => import('./delete-for-good-dialog.tsx'), 'DeleteForGoodDialog')

export function DeletedPage() {
  const withoutApp = t`Choose an app at the top of the sidebar to see what was deleted from it.`
  return (
    <AppPage title={t`Deleted`} withoutApp={withoutApp}>
      {(app) => <DeletedTable app={app} />}
    </AppPage>
  )
}

function DeletedTable({ app }: { app: App }) {
  const list = useListPage(deletedList)
  const { selection, state } = list
  const { open, close } = list.dialog
  // Restored twice, an item counts as failed.
  const [isRestoring, setRestoring] = useState(false)
  const restore = useCallback(async (ids: readonly string[], onDone?: () => void) => {
    setRestoring(true)
    await restoreItems(ids, onDone).finally(() => setRestoring(false))
  }, [])
  const rowMenu = useCallback(
    (row: DeletedItem) => deletedMenu(row, { open, restore: (id) => void restore([id]), isRestoring }),
    [open, restore, isRestoring],
  )
  const handlers = { onDone: list.finish, onClose: close }
  const days = binRetentionDays
  const isEmpty = list.data?.counts.every(({ count }) => count === 0)
  const deleteAll = {
    label: t`Delete all for good`,
    icon: <Trash2 />,
    danger: true,
    disabledReason: isEmpty ? t`Nothing is deleted` : undefined,
    onSelect: () => open('delete-all'),
  }
  return (
    <>
      <PageHeader title={t`Deleted`} actions={<MoreActions entries={() => [deleteAll]} />} />
      <p className="mb-4 max-w-[70ch] text-ui text-text-2">
        {t`You can restore deleted licenses, users, variables, files, webhooks, and subscriptions for ${days} days. Deleted files of all your apps can take as much storage as your plan includes; when they need more, the oldest are deleted for good.`}
      </p>
      <DataTable
        id="deleted"
        label={t`Deleted`}
        list={list}
        columns={useColumns(deletedColumns)}
        rowLabel={({ name }) => name}
        errorText={t`Failed to load deleted items`}
        searchPlaceholder={t`Name or ID`}
        filters={<KindFilter state={state} counts={list.data?.counts} />}
        bulkBar={
          <BulkBar list={list}>
            <Button
              icon={<ArchiveRestore />}
              busy={isRestoring}
              onClick={() => void restore([...selection.ids], list.finish)}
            >{t`Restore`}</Button>
            <Button
              variant="danger"
              icon={<Trash2 />}
              onClick={() => open('delete-selected')}
            >{t`Delete for good`}</Button>
          </BulkBar>
        }
        rowMenu={rowMenu}
        empty={
          <EmptyState icon={<ArchiveRestore />} title={t`Nothing is deleted`}>
            {t`When you delete a license, a user, a variable, a file, a webhook, or a subscription, it appears here, and you can restore it.`}
          </EmptyState>
        }
      />
      <ListDialogs
        list={list}
        page={{ 'delete-all': () => <DeleteForGoodDialog app={app} {...handlers} /> }}
        row={{
          delete: (row) => <DeleteForGoodDialog app={app} ids={[String(row.id)]} name={row.name} {...handlers} />,
        }}
        rowMissing={t`This is no longer in the list of deleted items`}
        selected={{
          'delete-selected': (target) =>
            'names' in target && <DeleteForGoodDialog app={app} ids={target.names} {...handlers} />,
        }}
        noneSelected={t`No items selected`}
      />
    </>
  )
}

interface KindFilterProps {
  state: TableState
  counts: DeletedList['counts'] | undefined
}

const KindFilter = ({ state: { filters, setFilter }, counts }: KindFilterProps) => (
  <FilterChip
    label={t`Kind`}
    value={filters.kind}
    options={binKinds.map((kind) => ({
      value: kind,
      label: i18n._(kindTexts[kind]),
      count: counts?.find((each) => each.kind === kind)?.count,
    }))}
    onChange={(value) => setFilter('kind', value)}
  />
)
