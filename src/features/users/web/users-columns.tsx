import { t } from '@lingui/core/macro'
import { accessEnd, type EntitlementEnd, fullGrantSeconds } from '#features/entitlements/entitlements.rules.ts'
import { AddressCell, DeviceCell } from '#web/panel/panel-cells.tsx'
import type { Column } from '#web/table/column.ts'
import { ipv4Length, neededOfAgo, neededOfEnd, neededOfMachine } from '#web/table/needed-texts.ts'
import { lengthLeftText } from '#web/time/time-text.ts'
import { Badge, type BadgeDot, badgeFrame, type BadgeTone } from '#web/ui/badge.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { useTicking } from '#web/time/clock.ts'
import { StoppedTime, TimeLeft } from '#web/ui/time-left.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { agoCells } from '#web/table/time-cells.tsx'
import { userStatus, type UserStatus } from '../user-list.rules.ts'
import type { User } from './users-data.ts'

export const userColumns = (): readonly Column<User>[] => [
  {
    id: 'username',
    header: t`Username`,
    width: 204,
    // As wide as a key, which is what many are called by.
    needs: ({ username }) => username.slice(0, 24),
    beside: 30,
    sortable: true,
    cell: (row) => <Name row={row} />,
    cardCell: ({ username }) => <span translate="no">{username}</span>,
  },
  {
    id: 'status',
    header: t`Status`,
    width: 118,
    needs: () => Object.values(statusTexts()),
    beside: badgeFrame,
    card: 'aside',
    cell: (row) => <CurrentStatus row={row} />,
  },
  {
    id: 'subscriptions',
    header: t`Subscriptions`,
    width: 112,
    needs: (row) => (levelsText(row) || t`No subscription`).slice(0, 16),
    yields: 5,
    card: 1,
    cell: (row) => <Levels row={row} />,
  },
  {
    id: 'timeLeft',
    header: t`Time left`,
    width: 202,
    needs: neededOfUser,
    sortable: true,
    card: 2,
    cell: (row) => <UserTimeLeft row={row} />,
    cardCell: (row) => accessEnd(Object.values(row.subscriptions)) && <UserTimeLeft row={row} />,
  },
  {
    id: 'hwid',
    header: t`HWID`,
    // 8 characters of its fingerprint.
    width: 98,
    firm: true,
    yields: 1,
    cell: ({ hwid }) => <DeviceCell hwid={hwid} none={t`Not set`} />,
  },
  {
    id: 'ip',
    header: t`IP`,
    width: 116,
    needs: ({ ip }) => neededOfMachine(ip, ipv4Length),
    yields: 3,
    cell: ({ ip }) => <AddressCell ip={ip} />,
  },
  {
    id: 'created',
    header: t`Created`,
    width: 118,
    yields: 2,
    sortable: true,
    ...agoCells((row) => row.creationDate),
  },
  {
    id: 'lastLogin',
    header: t`Last login`,
    width: 118,
    needs: (row) => neededOfAgo(row.lastLoginDate),
    yields: 4,
    sortable: true,
    card: 'more',
    cell: (row) => <LastLogin at={row.lastLoginDate} />,
  },
]

function Name({ row }: { row: User }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span
        title={row.email ? `${row.username} · ${row.email}` : row.username}
        className="truncate font-medium text-text"
      >
        {row.username}
      </span>
      <CopyButton text={row.username} label={t`Copy username`} />
    </span>
  )
}

const looks: Record<UserStatus, { tone: BadgeTone; dot: BadgeDot }> = {
  Banned: { tone: 'danger', dot: 'slashed' },
  Paused: { tone: 'warn', dot: 'ring' },
  Active: { tone: 'ok', dot: 'filled' },
  Expired: { tone: 'warn', dot: 'dashed' },
}

/**
 * Updates while the page is open: when a subscription expires, the status becomes Expired together with the remaining
 * time.
 */
export function CurrentStatus({ row }: { row: User }) {
  const status = useTicking((now) => {
    const isRunning = ({ expiry, time_left: left }: EntitlementEnd) =>
      row.paused ? left !== 0 : expiry === null || expiry > now
    return userStatus({ ...row, hasActiveSubscription: Object.values(row.subscriptions).some(isRunning) })
  })
  return <Status status={status} />
}

const statusTexts = () => ({ Banned: t`Banned`, Paused: t`Paused`, Active: t`Active`, Expired: t`Expired` })

const Status = ({ status }: { status: UserStatus }) => <Badge {...looks[status]}>{statusTexts()[status]}</Badge>

const levelsText = (row: User) =>
  Object.values(row.subscriptions)
    .map(({ name, level }) => name || t`Level ${level}`)
    .join(', ')

function Levels({ row }: { row: User }) {
  const names = levelsText(row)
  // Says why the status is Expired.
  if (names === '') return <span className="text-text-2">{t`No subscription`}</span>
  return <span title={names}>{names}</span>
}

function neededOfUser({ subscriptions, paused }: User): string {
  const end = accessEnd(Object.values(subscriptions))
  if (end === undefined) return ''
  if (end.expiry === null || end.time_left === null) return t`Lifetime`
  return paused && end.time_left > 0 ? lengthLeftText(end.time_left) : neededOfEnd(end.expiry)
}

function UserTimeLeft({ row }: { row: User }) {
  const end = accessEnd(Object.values(row.subscriptions))
  if (end === undefined) return <span className="text-text-3">—</span>
  return <EntitlementTimeLeft {...end} paused={row.paused} />
}

/** Remaining time of a subscription. A pause stops the time, so there is no end date. */
export function EntitlementTimeLeft({ expiry, time_left: left, paused }: EntitlementEnd & { paused: boolean }) {
  if (expiry === null || left === null) return <span className="text-text-2">{t`Lifetime`}</span>
  if (paused && left > 0) return <StoppedTime seconds={left} full={fullGrantSeconds} />
  return <TimeLeft until={expiry} full={fullGrantSeconds} />
}

export function LastLogin({ at }: { at: number | null }) {
  if (at === null) return <span className="text-text-3">{t`Never`}</span>
  return <TimeAgo at={at} className="text-text-2" />
}
