import { t } from '@lingui/core/macro'
import { MonitorX, Users } from 'lucide-react'
import { useCallback, useId, useMemo } from 'react'
import { unitSeconds } from '#contract/duration.ts'
import { userStatus, type UserStatus } from '#features/users/user-list.rules.ts'
import type { AssignedApp } from './assigned-apps.ts'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useListPage } from '#web/list/use-list-page.ts'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { lengthLeftText } from '#web/time/time-text.ts'
import { neededOfAgo, neededOfEnd } from '#web/table/needed-texts.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { Badge, type BadgeDot, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ExpiringFilter } from './own-filters.tsx'
import { type OwnUser, ownUserList } from './reseller-data.ts'
import { ResellerPage } from './reseller-page.tsx'

const ResetOwnHwidDialog = lazyDialog(() => import('./own-row-actions.tsx'), 'ResetOwnHwidDialog')

/** Users who redeemed the reseller's licenses. */
export function OwnUsersPage() {
  return (
    <ResellerPage
      title={t`Users`}
      withoutApp={t`No app selected. Please select an app from the sidebar to see its users.`}
    >
      {(app) => <OwnUsersTable app={app} />}
    </ResellerPage>
  )
}

/** The description says that only users of the reseller's own licenses are visible. */
function OwnUsersTable({ app }: { app: AssignedApp }) {
  const list = useListPage(ownUserList)
  const { open, close } = list.dialog
  const reset = useCallback((username: string) => open('reset-hwid', username), [open])
  const columnsOf = useMemo(() => () => ownUserColumns(reset), [reset])
  return (
    <>
      <PageHeader title={t`Users`} description={t`Only users who redeemed your own licenses are visible.`} />
      <DataTable
        id="reseller-users"
        label={t`Users`}
        newestFirst
        list={list}
        columns={useColumns(columnsOf)}
        rowLabel={list.rowId}
        errorText={t`Failed to load users`}
        searchPlaceholder={t`Name or email`}
        filters={<ExpiringFilter state={list.state} />}
        empty={
          <EmptyState icon={<Users />} title={t`No users found for this app`}>
            {t`Users who redeem one of your licenses appear here.`}
          </EmptyState>
        }
      />
      <ListDialogs
        list={list}
        row={{ 'reset-hwid': (row) => <ResetOwnHwidDialog app={app} user={row} onClose={close} /> }}
        rowMissing={t`User not found`}
      />
    </>
  )
}

const ownUserColumns = (onReset: (username: string) => void): readonly Column<OwnUser>[] => [
  {
    id: 'username',
    header: t`Username`,
    width: 190,
    cell: ({ username }) => (
      <span translate="no" title={username} className="font-medium text-text">
        {username}
      </span>
    ),
  },
  { id: 'status', header: t`Status`, width: 110, card: 'aside', cell: (row) => <Status of={row} /> },
  {
    id: 'timeLeft',
    header: t`Time left`,
    width: 172,
    needs: neededOfAccess,
    cell: (row) => <AccessLeft of={row} />,
    cardCell: (row) => row.hasActiveSubscription && <AccessLeft of={row} />,
  },
  {
    id: 'email',
    header: t`Email`,
    width: 190,
    yields: 2,
    cell: ({ email }) =>
      email ? (
        <span translate="no" title={email}>
          {email}
        </span>
      ) : (
        <Missing text={t`N/A`} />
      ),
    cardCell: ({ email }) => email && <span translate="no">{email}</span>,
  },
  {
    id: 'hwid',
    header: t`HWID`,
    width: 120,
    yields: 3,
    cell: ({ hwid }) => (hwid ? <MachineText value={hwid.slice(0, 8)} /> : <Missing text={t`Not set`} />),
    cardCell: ({ hwid }) => hwid && <MachineText value={hwid.slice(0, 8)} />,
  },
  {
    id: 'lastLogin',
    header: t`Last Login`,
    width: 134,
    yields: 1,
    cell: ({ lastLoginDate: at }) =>
      at === null ? <Missing text={t`Never`} /> : <TimeAgo at={at} className="text-text-2" />,
    needs: (row) => neededOfAgo(row.lastLoginDate),
    cardCell: ({ lastLoginDate: at }) => at !== null && <TimeAgo at={at} />,
  },
  {
    id: 'reset',
    header: t`Actions`,
    width: 130,
    align: 'end',
    cell: (row) => <ResetButton of={row} onReset={onReset} />,
  },
]

interface ResetButtonProps {
  of: OwnUser
  onReset: (username: string) => void
}

/** In a table, the column beside it says that no machine is bound. */
function ResetButton({ of: { username, hwid }, onReset }: ResetButtonProps) {
  const reasonId = useId()
  const reason = hwid ? undefined : t`No machine is bound to this user`
  return (
    <span className="flex flex-wrap items-center gap-2 sm:justify-end">
      <Button
        size="sm"
        icon={<MonitorX />}
        aria-label={t`Reset HWID of ${username}`}
        disabledReason={reason}
        aria-describedby={reason && reasonId}
        onClick={() => onReset(username)}
      >
        {t`Reset HWID`}
      </Button>
      {reason && (
        <span id={reasonId} className="text-meta text-text-2 sm:hidden">
          {reason}
        </span>
      )}
    </span>
  )
}

function neededOfAccess({ accessUntil, timeLeft, paused }: OwnUser): string {
  if (accessUntil === null || timeLeft === null) return t`Lifetime`
  return paused && timeLeft > 0 ? lengthLeftText(timeLeft) : neededOfEnd(accessUntil)
}

/** The time of a paused user doesn't run. */
function AccessLeft({ of: { accessUntil, timeLeft, paused, hasActiveSubscription } }: { of: OwnUser }) {
  if (accessUntil === null || timeLeft === null)
    return hasActiveSubscription ? <span className="text-text-2">{t`Lifetime`}</span> : <Missing text="—" />
  if (paused && timeLeft > 0) return <span className="text-text-2">{lengthLeftText(timeLeft)}</span>
  return <TimeLeft until={accessUntil} full={unitSeconds.months} />
}

const Missing = ({ text }: { text: string }) => <span className="text-text-3">{text}</span>

const looks: Record<UserStatus, { tone: BadgeTone; dot: BadgeDot }> = {
  Banned: { tone: 'danger', dot: 'slashed' },
  Paused: { tone: 'warn', dot: 'ring' },
  Active: { tone: 'ok', dot: 'filled' },
  Expired: { tone: 'warn', dot: 'dashed' },
}

/** Checked in order of priority. */
function Status({ of }: { of: OwnUser }) {
  const status = userStatus(of)
  const label = { Banned: t`Banned`, Paused: t`Paused`, Active: t`Active`, Expired: t`Expired` }[status]
  return <Badge {...looks[status]}>{label}</Badge>
}
