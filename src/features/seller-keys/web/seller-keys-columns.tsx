import { plural, t } from '@lingui/core/macro'
import type { Column } from '#web/table/column.ts'
import { Badge, badgeFrame } from '#web/ui/badge.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { neededOfAgo } from '#web/table/needed-texts.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { agoCells } from '#web/table/time-cells.tsx'
import type { SellerKey } from './seller-keys-data.ts'

/** The tooltip shows the rest. */
const maxShownIps = 2

export const sellerKeyColumns = (): readonly Column<SellerKey>[] => [
  {
    id: 'name',
    header: t`Key name`,
    sortable: true,
    width: 170,
    cell: ({ keyName }) => <span title={keyName}>{keyName}</span>,
  },
  {
    id: 'key',
    header: t`Seller key`,
    width: 280,
    card: 3,
    cell: (row) => <KeyEnds row={row} />,
    cardCell: ({ sellerKey, exposedAt }) => (exposedAt === null ? <MachineText value={sellerKey} /> : <Exposed />),
  },
  {
    id: 'permissions',
    header: t`Permissions`,
    width: 130,
    needs: permissionsText,
    beside: badgeFrame,
    yields: 4,
    card: 1,
    cell: (row) => <Permissions row={row} />,
  },
  { id: 'ips', header: t`Whitelisted IPs`, width: 165, yields: 2, cell: (row) => <Ips list={row.whitelistedIPs} /> },
  {
    id: 'created',
    header: t({ message: 'Created', context: 'seller key' }),
    sortable: true,
    width: 120,
    yields: 1,
    ...agoCells((row) => row.createdDate),
  },
  {
    id: 'lastUsed',
    header: t`Last used`,
    sortable: true,
    width: 130,
    yields: 3,
    card: 2,
    needs: (row) => neededOfAgo(row.lastUsed),
    cardCell: ({ lastUsed }) => lastUsed !== null && <TimeAgo at={lastUsed} />,
    cell: (row) =>
      row.lastUsed === null ? (
        <span className="text-text-3">{t`Never`}</span>
      ) : (
        <TimeAgo at={row.lastUsed} className="text-text-2" />
      ),
  },
  {
    id: 'status',
    header: t`Status`,
    sortable: true,
    width: 120,
    needs: () => Object.values(statusTexts()),
    beside: badgeFrame,
    card: 'aside',
    cell: (row) => <KeyStatus row={row} />,
  },
]

/** Only the two ends of a key are known here; the blurred dots stand for the secret, which only the shop has. */
function PublicForm({ sellerKey }: { sellerKey: string }) {
  const [start = '', end = ''] = sellerKey.split('…')
  return (
    <span translate="no" className="machine text-text">
      {start}
      <wbr />
      <span className="whitespace-nowrap">
        <span aria-hidden="true" className="mx-0.5 text-text-3 blur-[3px] select-none">
          ••••
        </span>
        {end}
      </span>
    </span>
  )
}

const KeyEnds = ({ row: { sellerKey, exposedAt } }: { row: SellerKey }) => (
  <span className="flex flex-wrap items-center gap-x-2 gap-y-1 py-1">
    <PublicForm sellerKey={sellerKey} />
    {exposedAt !== null && <Exposed />}
  </span>
)

const Exposed = () => <Badge tone="danger">{t`Exposed`}</Badge>

const permissionsText = ({ fullAccess, permissions: { length: count } }: SellerKey): string =>
  fullAccess ? t`Full access` : plural(count, { one: '# scope', other: '# scopes' })

function Permissions({ row }: { row: SellerKey }) {
  if (row.fullAccess) return <Badge tone="warn">{permissionsText(row)}</Badge>
  return (
    <span data-short="" title={row.permissions.join(', ')} className="text-text-2">
      {permissionsText(row)}
    </span>
  )
}

function Ips({ list }: { list: readonly string[] }) {
  if (list.length === 0) return <span className="text-text-3">{t`Any IP`}</span>
  const rest = list.length - maxShownIps
  return (
    <span title={list.join('\n')} className="machine text-text-2">
      {list.slice(0, maxShownIps).join(', ')}
      {rest > 0 && ` +${rest}`}
    </span>
  )
}

const statusTexts = () => ({
  active: t({ message: 'Active', context: 'seller key' }),
  paused: t({ message: 'Paused', context: 'seller key' }),
})

const statusLooks = { active: { tone: 'ok', dot: 'filled' }, paused: { tone: 'warn', dot: 'ring' } } as const

export const KeyStatus = ({ row: { status } }: { row: SellerKey }) => (
  <Badge {...statusLooks[status]}>{statusTexts()[status]}</Badge>
)
