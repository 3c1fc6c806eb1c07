import { plural, t } from '@lingui/core/macro'
import type { Column } from '#web/table/column.ts'
import { agoCells } from '#web/table/time-cells.tsx'
import { neededOfEnd } from '#web/table/needed-texts.ts'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { Badge, badgeFrame } from '#web/ui/badge.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import type { AdminOwner } from './admin-data.ts'

export const ownerColumns = (): readonly Column<AdminOwner>[] => [
  {
    id: 'owner',
    header: t`Owner`,
    width: 280,
    sortable: true,
    twoLines: true,
    cell: (row) => <OwnerCell row={row} />,
    cardCell: ({ username }) => <span translate="no">{username}</span>,
  },
  {
    id: 'plan',
    header: t`Plan`,
    width: 210,
    needs: neededOfPlan,
    beside: badgeFrame,
    sortable: true,
    card: 1,
    cell: (row) => <PlanCell row={row} />,
    cardCell: ({ planDisplayName }) => <span translate="no">{planDisplayName}</span>,
  },
  {
    id: 'stats',
    header: t`Stats`,
    width: 240,
    // Tabular figures are as wide as a zero.
    needs: ({ stats }) => statsText(stats).replaceAll(/\d/g, '0'),
    yields: 2,
    card: 2,
    cell: ({ stats }) => <StatsText stats={stats} />,
  },
  {
    id: 'created',
    header: t`Created`,
    width: 150,
    sortable: true,
    yields: 1,
    ...agoCells((row) => row.createdDate),
  },
  {
    id: 'status',
    header: t`Status`,
    width: 120,
    needs: () => Object.values(statusTexts()),
    beside: badgeFrame,
    card: 'aside',
    cell: (row) => <OwnerStatus row={row} />,
  },
]

const OwnerCell = ({ row: { username, email, ownerid } }: { row: AdminOwner }) => (
  <span className="block min-w-0 py-1 leading-tight">
    <span className="block truncate" title={username} translate="no">
      {username}
    </span>
    <span className="flex min-w-0 items-center gap-1.5 text-meta text-text-2">
      <MachineText value={ownerid} shape="plain" />
      <CopyButton text={ownerid} label={t`Copy owner ID`} className="-my-1.5" />
      {email && (
        <span className="truncate" title={email} translate="no">
          {email}
        </span>
      )}
    </span>
  </span>
)

/** The plan beside what it includes, above its end. */
const neededOfPlan = ({ planDisplayName, planExpiresAt, prioritySupport }: AdminOwner): string[] => {
  const support = t`Priority support`
  return [
    prioritySupport ? `${planDisplayName} ${support}` : planDisplayName,
    planExpiresAt === null ? '' : neededOfEnd(planExpiresAt),
  ]
}

const PlanCell = ({ row: { planDisplayName, planExpiresAt, prioritySupport } }: { row: AdminOwner }) => (
  <span className="flex min-w-0 flex-col items-start gap-0.5">
    <span className="flex max-w-full min-w-0 items-center gap-2">
      <Badge tone="neutral">
        <span translate="no">{planDisplayName}</span>
      </Badge>
      {prioritySupport && (
        <span className="truncate text-meta text-text-2" title={t`Priority support`}>
          {t`Priority support`}
        </span>
      )}
    </span>
    {planExpiresAt !== null && <TimeLeft until={planExpiresAt} />}
  </span>
)

const statsText = ({ apps, users, licenses }: AdminOwner['stats']): string =>
  [
    plural(apps, { one: '# app', other: '# apps' }),
    plural(users, { one: '# user', other: '# users' }),
    plural(licenses, { one: '# license', other: '# licenses' }),
  ].join(' · ')

export const StatsText = ({ stats }: Pick<AdminOwner, 'stats'>) => (
  <span className="text-text-2 tabular-nums">{statsText(stats)}</span>
)

const statusTexts = () => ({
  active: t`Active`,
  banned: t`Banned`,
  admin: t({ message: 'Admin', context: 'person' }),
})

const statusLooks = {
  active: { tone: 'ok', dot: 'filled' },
  banned: { tone: 'danger', dot: 'slashed' },
  admin: { tone: 'info' },
} as const

export function OwnerStatus({ row: { banned, role } }: { row: AdminOwner }) {
  const status = banned ? 'banned' : role === 'admin' ? 'admin' : 'active'
  return <Badge {...statusLooks[status]}>{statusTexts()[status]}</Badge>
}
