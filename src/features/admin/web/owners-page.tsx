import { t } from '@lingui/core/macro'
import { Users } from 'lucide-react'
import { useCallback } from 'react'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useListPage } from '#web/list/use-list-page.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { type AdminOwner, ownerList } from './admin-data.ts'
import { banEntry, changePlanEntry, deleteEntry, ownerDialogs, resetEntry } from './owner-actions.tsx'
import { ownerColumns } from './owners-columns.tsx'
import { OwnerFacets, OwnerFilters } from './owners-filters.tsx'

const TimeRangeDialog = lazyDialog(() => import('#web/list/time-range-dialog.tsx'), 'TimeRangeDialog')

/** All accounts with their plans. */
export function OwnersPage() {
  const list = useListPage(ownerList)
  const { open, close } = list.dialog
  const rowMenu = useCallback((row: AdminOwner) => ownerMenu(row, open), [open])
  return (
    <>
      <PageHeader title={t`Manage Owners`} />
      <DataTable
        id="admin-owners"
        label={t`Owners`}
        newestFirst
        list={list}
        columns={useColumns(ownerColumns)}
        rowLabel={({ username }) => username}
        errorText={t`Failed to load owners`}
        searchPlaceholder={t`Name, email or ID`}
        facets={<OwnerFacets state={list.state} />}
        filters={<OwnerFilters list={list} />}
        rowMenu={rowMenu}
        panelKind="owner"
        empty={<EmptyState icon={<Users />} title={t`No owners found.`} />}
        noMatchTitle={t`No owners found.`}
      />
      <ListDialogs
        list={list}
        page={{
          days: () => <TimeRangeDialog list={list} filter="days" />,
          'growth-days': () => <TimeRangeDialog list={list} filter="growthIn" />,
        }}
        row={ownerDialogs({ onDone: list.finish, onClose: close })}
        rowMissing={t`Owner not found`}
      />
    </>
  )
}

function ownerMenu(row: AdminOwner, openDialog: (name: string, row: string) => void): MenuEntry[] {
  const open = (name: string) => openDialog(name, row.ownerid)
  return [
    changePlanEntry(open),
    resetEntry(row, open),
    banEntry(row, open),
    { kind: 'separator' },
    deleteEntry(row, open),
  ]
}
