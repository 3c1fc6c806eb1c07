import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import type { Column } from '#web/table/column.ts'
import { Badge, type BadgeDot, type BadgeTone } from '#web/ui/badge.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { userStatus, type UserStatus } from '../users.rules.ts'
import type { User } from './user-list.ts'

export function useUserColumns(locale: string): readonly Column<User>[] {
  return useMemo(
    (): Column<User>[] => [
      { id: 'username', header: t`Username`, width: 220, cell: (row) => <Name row={row} /> },
      {
        id: 'status',
        header: t`Status`,
        width: 110,
        card: 'aside',
        cell: (row) => <Status status={userStatus(row)} />,
      },
      { id: 'subscriptions', header: t`Subscriptions`, width: 160, cell: (row) => <Levels row={row} /> },
      { id: 'hwid', header: t`HWID`, width: 140, cell: ({ hwid }) => <Machine value={hwid} none={t`Not set`} /> },
      { id: 'ip', header: t`IP`, width: 140, cell: ({ ip }) => <Machine value={ip} none="—" /> },
      {
        id: 'created',
        header: t`Created`,
        width: 120,
        cell: (row) => <RelativeTime at={row.creationDate} className="text-text-2" />,
      },
      { id: 'lastLogin', header: t`Last login`, width: 130, cell: (row) => <LastLogin at={row.lastLoginDate} /> },
    ],
    // oxlint-disable-next-line react/exhaustive-deps -- headers are in the reader's language
    [locale],
  )
}

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
  Expired: { tone: 'neutral', dot: 'dashed' },
}

export function Status({ status }: { status: UserStatus }) {
  const label = { Banned: t`Banned`, Paused: t`Paused`, Active: t`Active`, Expired: t`Expired` }[status]
  return <Badge {...looks[status]}>{label}</Badge>
}

function Levels({ row }: { row: User }) {
  const names = Object.values(row.subscriptions).map(({ name, level }) => name || t`Level ${level}`)
  if (names.length === 0) return <span className="text-text-3">—</span>
  return <span title={names.join(', ')}>{names.join(', ')}</span>
}

function Machine({ value, none }: { value: string; none: string }) {
  return value ? <MachineText value={value} /> : <span className="text-text-3">{none}</span>
}

function LastLogin({ at }: { at: number | null }) {
  if (at === null) return <span className="text-text-3">{t`Never`}</span>
  return <RelativeTime at={at} className="text-text-2" />
}
