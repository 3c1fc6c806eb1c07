import { t } from '@lingui/core/macro'
import type { Column } from '#web/table/column.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { type Download, sizeText } from './downloads-data.ts'

export const downloadColumns = (locale: string): readonly Column<Download>[] => [
  {
    id: 'name',
    header: t`Name`,
    sortable: true,
    width: 320,
    cell: (row) => <Name row={row} />,
    cardCell: ({ name }) => <span translate="no">{name}</span>,
  },
  {
    id: 'size',
    header: t`Size`,
    sortable: true,
    width: 100,
    align: 'end',
    card: 1,
    cell: ({ fileSize }) => <span className="text-text-2 tabular-nums">{sizeText(fileSize, locale)}</span>,
  },
  {
    id: 'downloads',
    header: t`Downloads`,
    sortable: true,
    width: 110,
    align: 'end',
    cell: ({ downloadCount }) => <span className="tabular-nums">{downloadCount.toLocaleString(locale)}</span>,
  },
  { id: 'auth', header: t`Auth`, sortable: true, width: 120, card: 2, cell: (row) => <Access row={row} /> },
  { id: 'status', header: t`Status`, sortable: true, width: 150, card: 'aside', cell: (row) => <Status row={row} /> },
  {
    id: 'created',
    header: t`Created`,
    sortable: true,
    width: 150,
    card: 3,
    cell: (row) => <TimeAgo at={row.createdAt} className="text-text-2" />,
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

function Access({ row }: { row: Download }) {
  if (row.authenticated) return <Badge tone="ok" dot="filled">{t`Required`}</Badge>
  return (
    <Badge tone="neutral" dot="ring">
      {t({ message: 'Public', context: 'file' })}
    </Badge>
  )
}

function Status({ row }: { row: Download }) {
  if (!row.completed) return <Badge tone="warn" dot="dashed">{t`Not completed`}</Badge>
  if (row.pending) return <Badge tone="info" dot="dashed">{t`Being checked`}</Badge>
  if (row.active)
    return (
      <Badge tone="ok" dot="filled">
        {t({ message: 'Active', context: 'file' })}
      </Badge>
    )
  return (
    <Badge tone="warn" dot="ring">
      {t({ message: 'Inactive', context: 'file' })}
    </Badge>
  )
}
