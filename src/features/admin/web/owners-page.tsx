import { t } from '@lingui/core/macro'
import { Ban, CreditCard, KeyRound, ShieldCheck, Trash2, Users } from 'lucide-react'
import { useCallback } from 'react'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useListPage } from '#web/list/use-list-page.ts'
import { useSetSearchParams } from '#web/navigation/search-params.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { type AdminOwner, ownerList, setOwnerBanned, startReset } from './admin-data.ts'
import { ownerColumns } from './owners-columns.tsx'
import { OwnerFilters } from './owners-filters.tsx'

const TimeRangeDialog = lazyDialog(() => import('#web/list/time-range-dialog.tsx'), 'TimeRangeDialog')
const ChangePlanDialog = lazyDialog(() => import('./owners-dialogs.tsx'), 'ChangePlanDialog')
const StartResetDialog = lazyDialog(() => import('#features/accounts/web/start-reset-dialog.tsx'), 'StartResetDialog')
const BanOwnerDialog = lazyDialog(() => import('./owners-dialogs.tsx'), 'BanOwnerDialog')
const DeleteOwnerDialog = lazyDialog(() => import('./owners-dialogs.tsx'), 'DeleteOwnerDialog')

/** All accounts with their plans. */
export function OwnersPage() {
  const list = useListPage(ownerList)
  const { state } = list
  const { open, close } = list.dialog
  const setParams = useSetSearchParams()
  const chooseDays = useCallback(() => open('days'), [open])
  const chooseGrowthDays = useCallback(() => open('growth-days'), [open])
  const rowMenu = useCallback((row: AdminOwner) => ownerMenu(row, open), [open])
  const dates = (filter: string) => (
    <TimeRangeDialog
      value={state.filters[filter]}
      onChoose={(value) => setParams({ [`f.${filter}`]: value, page: undefined, dialog: undefined }, { replace: true })}
      onClose={close}
    />
  )
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
        searchPlaceholder={t`Name, email or owner ID`}
        filters={<OwnerFilters state={state} onChooseDays={chooseDays} onChooseGrowthDays={chooseGrowthDays} />}
        rowMenu={rowMenu}
        empty={<EmptyState icon={<Users />} title={t`No owners found.`} />}
        noMatchTitle={t`No owners found.`}
      />
      <ListDialogs
        list={list}
        page={{
          days: () => dates('days'),
          'growth-days': () => dates('growthIn'),
        }}
        row={{
          plan: (row) => <ChangePlanDialog owner={row} onClose={close} />,
          'password-reset': (row) => (
            <StartResetDialog username={row.username} send={() => startReset(row)} onClose={close} />
          ),
          ban: (row) => <BanOwnerDialog owner={row} onClose={close} />,
          delete: (row) => <DeleteOwnerDialog owner={row} onDone={list.finish} onClose={close} />,
        }}
        rowMissing={t`Owner not found`}
      />
    </>
  )
}

function ownerMenu(row: AdminOwner, open: (name: string, row: string) => void): MenuEntry[] {
  const disabledReason = row.role === 'admin' ? t`Administrators cannot be banned or deleted` : undefined
  return [
    { label: t`Change plan`, icon: <CreditCard />, onSelect: () => open('plan', row.ownerid) },
    {
      label: t`Reset password`,
      icon: <KeyRound />,
      onSelect: () => open('password-reset', row.ownerid),
      disabledReason: row.banned ? t`The owner is banned` : undefined,
    },
    row.banned
      ? { label: t`Unban`, icon: <ShieldCheck />, onSelect: () => void setOwnerBanned(row, false), disabledReason }
      : { label: t`Ban`, icon: <Ban />, danger: true, onSelect: () => open('ban', row.ownerid), disabledReason },
    { kind: 'separator' },
    { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', row.ownerid), disabledReason },
  ]
}
