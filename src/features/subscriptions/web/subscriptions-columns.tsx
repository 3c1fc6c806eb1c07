import { plural, t } from '@lingui/core/macro'
import { NumberLink } from '#web/navigation/number-link.tsx'
import type { Column } from '#web/table/column.ts'
import { Badge, badgeFrame } from '#web/ui/badge.tsx'
import { statusText, type Subscription, usersOfLevel } from './subscriptions-data.ts'

export const subscriptionColumns = (locale: string): readonly Column<Subscription>[] => [
  {
    id: 'name',
    header: t`Name`,
    sortable: true,
    width: 240,
    cell: ({ name, level }) => <span className="font-medium text-text">{name || t`Level ${level}`}</span>,
  },
  {
    id: 'level',
    header: t`Level`,
    sortable: true,
    width: 120,
    yields: 1,
    cell: ({ level }) => (
      <span translate="no" className="machine">
        {level}
      </span>
    ),
    cardCell: ({ level }) => t`Level ${level}`,
  },
  {
    id: 'users',
    header: t`Users`,
    sortable: true,
    width: 140,
    align: 'end',
    cell: (row) => <Users row={row} locale={locale} />,
    cardCell: ({ userCount }) => plural(userCount, { one: '# user', other: '# users' }),
  },
  {
    id: 'status',
    header: t`Status`,
    sortable: true,
    width: 160,
    needs: statusText,
    beside: badgeFrame,
    card: 'aside',
    cell: (row) => <Status row={row} />,
  },
]

/** Leads to the users of the level. */
function Users({ row: { level, name, userCount }, locale }: { row: Subscription; locale: string }) {
  const shown = userCount.toLocaleString(locale)
  if (userCount === 0) return <span className="text-text-2 tabular-nums">{shown}</span>
  const subscription = name || t`Level ${level}`
  return (
    <NumberLink {...usersOfLevel(level)} label={t`Users of ${subscription}: ${shown}`}>
      {shown}
    </NumberLink>
  )
}

export function Status({ row }: { row: Subscription }) {
  const look = row.active ? ({ tone: 'ok', dot: 'filled' } as const) : ({ tone: 'warn', dot: 'ring' } as const)
  return <Badge {...look}>{statusText(row)}</Badge>
}
