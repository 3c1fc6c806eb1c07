import { plural, t } from '@lingui/core/macro'
import type { Column } from '#web/table/column.ts'
import { Badge } from '#web/ui/badge.tsx'
import type { Subscription } from './subscriptions-data.ts'

export const subscriptionColumns = (locale: string): readonly Column<Subscription>[] => [
  {
    id: 'name',
    header: t`Name`,
    sortable: true,
    width: 320,
    cell: ({ name, level }) => <span className="font-medium text-text">{name || t`Level ${level}`}</span>,
  },
  {
    id: 'level',
    header: t`Level`,
    sortable: true,
    width: 120,
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
    cell: ({ userCount }) => <span className="tabular-nums">{userCount.toLocaleString(locale)}</span>,
    cardCell: ({ userCount }) => plural(userCount, { one: '# user', other: '# users' }),
  },
  {
    id: 'status',
    header: t`Status`,
    sortable: true,
    width: 160,
    card: 'aside',
    cell: ({ active }) => <Status active={active} />,
  },
]

function Status({ active }: { active: boolean }) {
  if (active)
    return (
      <Badge tone="ok" dot="filled">
        {t({ message: 'Active', context: 'subscription' })}
      </Badge>
    )
  return (
    <Badge tone="warn" dot="ring">
      {t({ message: 'Paused', context: 'subscription' })}
    </Badge>
  )
}
