import { t } from '@lingui/core/macro'
import type { Column } from '#web/table/column.ts'
import { agoCells } from '#web/table/time-cells.tsx'
import { Badge, badgeFrame, type BadgeProps } from '#web/ui/badge.tsx'
import { accessText, type Download, sizeText, statusText } from './downloads-data.ts'

export const downloadColumns = (locale: string): readonly Column<Download>[] => [
  {
    id: 'name',
    header: t`Name`,
    sortable: true,
    width: 260,
    twoLines: true,
    cell: (row) => <Name row={row} />,
    cardCell: ({ name }) => <span translate="no">{name}</span>,
  },
  {
    id: 'size',
    header: t`Size`,
    sortable: true,
    width: 100,
    yields: 3,
    align: 'end',
    card: 1,
    cell: ({ fileSize }) => <span className="text-text-2 tabular-nums">{sizeText(fileSize, locale)}</span>,
  },
  {
    id: 'downloads',
    header: t`Downloads`,
    sortable: true,
    width: 110,
    yields: 2,
    align: 'end',
    cell: ({ downloadCount }) => <span className="tabular-nums">{downloadCount.toLocaleString(locale)}</span>,
  },
  {
    id: 'auth',
    header: t`Auth`,
    sortable: true,
    width: 120,
    needs: accessText,
    beside: badgeFrame,
    card: 2,
    cell: (row) => <Access row={row} />,
  },
  {
    id: 'status',
    header: t`Status`,
    sortable: true,
    width: 150,
    needs: statusText,
    beside: badgeFrame,
    card: 'aside',
    cell: (row) => <Status row={row} />,
  },
  {
    id: 'created',
    header: t`Created`,
    sortable: true,
    width: 150,
    yields: 1,
    card: 3,
    ...agoCells((row) => row.createdAt),
  },
]

const Name = ({ row: { name, description } }: { row: Download }) => (
  <span className="block min-w-0">
    <span translate="no" className="block truncate text-text" title={name}>
      {name}
    </span>
    {description !== '' && (
      <span translate="no" className="block truncate text-meta text-text-2" title={description}>
        {description}
      </span>
    )}
  </span>
)

export function Access({ row }: { row: Download }) {
  const look = row.authenticated
    ? ({ tone: 'ok', dot: 'filled' } as const)
    : ({ tone: 'neutral', dot: 'ring' } as const)
  return <Badge {...look}>{accessText(row)}</Badge>
}

function statusLook({ completed, pending, active }: Download): Pick<BadgeProps, 'tone' | 'dot'> {
  if (!completed) return { tone: 'warn', dot: 'dashed' }
  if (pending) return { tone: 'info', dot: 'dashed' }
  return active ? { tone: 'ok', dot: 'filled' } : { tone: 'warn', dot: 'ring' }
}

export const Status = ({ row }: { row: Download }) => <Badge {...statusLook(row)}>{statusText(row)}</Badge>
