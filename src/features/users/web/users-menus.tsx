import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import {
  Ban,
  ClockPlus,
  Download,
  History,
  MonitorX,
  Pause,
  Pencil,
  Play,
  ShieldCheck,
  TimerOff,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { PlanLimitNotice, usePlanUsage } from '#features/plans/web/plan-limit-notice.tsx'
import { useDeletedEntry } from '#web/list/use-deleted-entry.tsx'
import { useImportEntry } from '#web/list/use-import-entry.tsx'
import { levelFilter } from '#web/list/level-filter.ts'
import { TimeRangeChip } from '#web/list/time-range-chip.tsx'
import { BulkBar } from '#web/table/bulk-bar.tsx'
import { FacetLine } from '#web/table/facet-line.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { totalText } from '#web/table/row-total.ts'
import type { TableState } from '#web/table/use-table-state.ts'
import { Button } from '#web/ui/button.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { MoreActions } from '#web/ui/more-actions.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import type { DialogState } from '#web/navigation/use-dialog.ts'
import { PlanReasonText } from '#features/plans/web/plan-reason.tsx'
import { usePlanReason } from '#features/plans/web/use-plan-feature.ts'
import { levelsQuery, type User, type UserCounts, userFacetsQuery, type UsersInView } from './users-data.ts'

type Open = DialogState['open']

/** The title, and the actions on the whole list. */
export function UsersHeader({ list, create }: { list: UsersInView; create: ReactNode }) {
  const { state, data } = list
  const showDeleted = useDeletedEntry('user')
  const importUsers = useImportEntry('users')
  const noBulk = usePlanReason('bulk_operations')
  const menu = (): MenuEntry[] => [
    importUsers(),
    showDeleted(),
    { kind: 'separator' },
    ...wholeListMenu(data?.counts, list.dialog.open, noBulk),
  ]
  const plan = usePlanUsage()
  return (
    <>
      <PageHeader
        title={t`Users`}
        actions={
          <>
            <MoreActions entries={menu} />
            {create}
          </>
        }
      />
      <PlanLimitNotice
        used={data?.counts.total}
        limit={plan?.limits.max_users_per_app}
        text={(used, limit, name) => t`Your ${name} plan: ${used} of ${limit} users in this app.`}
      />
      <SelectedUserNotice state={state} />
    </>
  )
}

/** Another screen may pass a username in the navigation state, which fills the search. */
function SelectedUserNotice({ state: { search, setSearch } }: { state: TableState }) {
  const state = useRouterState({ select: ({ location }) => location.state as { selectedUser?: string } })
  const [selectedUser, setSelectedUser] = useState(state.selectedUser)
  useEffect(() => {
    // Filling the search is a navigation without that state, so the notice keeps its own.
    if (!state.selectedUser) return
    setSearch(state.selectedUser)
    setSelectedUser(state.selectedUser)
    // oxlint-disable-next-line react/exhaustive-deps -- once per navigation
  }, [state.selectedUser])
  if (!selectedUser || selectedUser !== search) return null
  return (
    <Notice onDismiss={() => setSelectedUser(undefined)}>
      <span className="block truncate">{t`Showing user: ${selectedUser}`}</span>
    </Notice>
  )
}

/** Active and expired users of a long list are counted up to this number. */
const maxCounted = 10_000

/** How many users of the app have each status. */
export function UserFacets({ list: { data, state } }: { list: UsersInView }) {
  const counts = data?.counts
  const facet = (value: Exclude<keyof UserCounts, 'total'>, label: string) => ({
    value,
    label,
    count: counts?.[value] === null ? totalText({ count: maxCounted, isMore: true }) : counts?.[value],
  })
  return (
    <FacetLine
      label={t`User counts`}
      filter="status"
      filterLabel={t`Status`}
      state={state}
      total={{ count: counts?.total }}
      facets={[
        facet('active', t({ message: 'Active', context: 'users' })),
        facet('expired', t({ message: 'Expired', context: 'users' })),
        facet('paused', t({ message: 'Paused', context: 'users' })),
        facet('banned', t({ message: 'Banned', context: 'users' })),
      ]}
    />
  )
}

/** The ranges that the filters by creation and by last sign-in offer, in days. */
const periodDays = [1, 7, 30, 90] as const

/** Filters beside the statuses. Levels have the number of their users, counted when the menu opens. */
export function UserFilters({ list }: { list: UsersInView }) {
  const { filters, setFilter } = list.state
  const { data } = useQuery(levelsQuery())
  const { data: facets, refetch } = useQuery({ ...userFacetsQuery(), enabled: false })
  return (
    <>
      <FilterChip
        label={t`Level`}
        several
        value={levelFilter(filters['level'])}
        options={(data?.subscriptions ?? []).map(({ level, name }) => ({
          value: String(level),
          label: name,
          count: facets?.levels.find((each) => each.level === level),
        }))}
        onOpen={() => void refetch()}
        onChange={(value) => setFilter('level', value)}
      />
      <TimeRangeChip label={t`Created`} list={list} filter="created" days={periodDays} />
      <TimeRangeChip label={t`Last login`} list={list} filter="lastLogin" days={periodDays} dialog="last-login" />
    </>
  )
}

/** Actions on all users of the app. */
function wholeListMenu(counts: UserCounts | undefined, open: Open, noBulk?: string): MenuEntry[] {
  const none = counts?.total === 0 ? t`There are no users` : undefined
  const notAll = noBulk ?? none
  return [
    { label: t`Export`, icon: <Download />, disabledReason: none, onSelect: () => open('export') },
    { kind: 'separator' },
    {
      label: t`Unban all`,
      icon: <ShieldCheck />,
      disabledReason: notAll ?? (counts?.banned === 0 ? t`No banned users` : undefined),
      onSelect: () => open('unban-all'),
    },
    { kind: 'separator' },
    {
      label: t`Reset all HWIDs`,
      icon: <MonitorX />,
      danger: true,
      disabledReason: notAll,
      onSelect: () => open('reset-all-hwid'),
    },
    {
      label: t`Delete expired`,
      icon: <TimerOff />,
      danger: true,
      disabledReason: notAll ?? (counts?.expired === 0 ? t`No expired users` : undefined),
      onSelect: () => open('delete-expired'),
    },
    {
      label: t`Delete all`,
      icon: <Trash2 />,
      danger: true,
      disabledReason: notAll,
      onSelect: () => open('delete-all'),
    },
  ]
}

export const userMenu = ({ username, banned, paused, hwid }: User, open: Open): MenuEntry[] => [
  { label: t`Edit User`, icon: <Pencil />, onSelect: () => open('edit', username) },
  { label: banned ? t`Unban` : t`Ban`, icon: <Ban />, danger: !banned, onSelect: () => open('ban', username) },
  {
    label: paused ? t`Unpause` : t`Pause`,
    icon: paused ? <Play /> : <Pause />,
    danger: !paused,
    onSelect: () => open('pause', username),
  },
  {
    label: t`Reset HWID`,
    icon: <MonitorX />,
    disabledReason: hwid ? undefined : t`No machine is bound`,
    onSelect: () => open('reset-hwid', username),
  },
  { kind: 'separator' },
  { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', username) },
]

/** Takes fewer lines on phones. */
const textOnly = 'max-sm:[&_svg]:hidden'

export function UsersBulkBar({ list }: { list: UsersInView }) {
  const { open } = list.dialog
  const disabledReason = usePlanReason('bulk_operations')
  const dangerButton = (name: string, label: string, icon: ReactNode) => (
    <Button
      variant="danger"
      icon={icon}
      className={textOnly}
      disabledReason={disabledReason}
      onClick={() => open(name)}
    >
      {label}
    </Button>
  )
  const more = (): MenuEntry[] => [
    { label: t`Export`, icon: <Download />, onSelect: () => open('export') },
    { kind: 'separator' },
    { label: t`Unban`, icon: <ShieldCheck />, disabledReason, onSelect: () => open('unban-selected') },
    { label: t`Unpause`, icon: <Play />, disabledReason, onSelect: () => open('unpause-selected') },
    { kind: 'separator' },
    { label: t`Pause`, icon: <Pause />, danger: true, disabledReason, onSelect: () => open('pause-selected') },
  ]
  return (
    <BulkBar list={list} canSelectAllMatching notice={disabledReason && <PlanReasonText reason={disabledReason} />}>
      <Button
        icon={<ClockPlus />}
        className={textOnly}
        disabledReason={disabledReason}
        onClick={() => open('extend')}
      >{t`Extend`}</Button>
      {dangerButton('subtract', t`Subtract`, <History />)}
      {dangerButton('reset-selected', t`Reset HWID`, <MonitorX />)}
      {dangerButton('ban-selected', t`Ban`, <Ban />)}
      {dangerButton('delete-selected', t`Delete`, <Trash2 />)}
      <MoreActions label={t`More for selected rows`} entries={more} />
    </BulkBar>
  )
}
