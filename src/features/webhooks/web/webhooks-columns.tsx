import { plural, t } from '@lingui/core/macro'
import type { Column } from '#web/table/column.ts'
import { Badge, badgeFrame } from '#web/ui/badge.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { webhookStatus } from '../webhooks.rules.ts'
import type { Webhook } from './webhooks-data.ts'

export const webhookColumns = (): readonly Column<Webhook>[] => [
  {
    id: 'id',
    header: t`ID`,
    sortable: true,
    width: 200,
    cell: ({ id }) => (
      <span className="flex min-w-0 items-center gap-1">
        <MachineText value={id} className="truncate text-text" />
        <CopyButton text={id} label={t`Copy ID`} />
      </span>
    ),
    cardCell: ({ id, name }) => (name ? <span translate="no">{name}</span> : <MachineText value={id} />),
  },
  {
    id: 'name',
    header: t`Name`,
    sortable: true,
    width: 160,
    cell: ({ name }) =>
      name ? (
        <span translate="no" className="truncate text-text" title={name}>
          {name}
        </span>
      ) : (
        <span className="text-text-3">{t`None`}</span>
      ),
  },
  {
    id: 'url',
    header: t`URL`,
    sortable: true,
    width: 260,
    yields: 3,
    card: 1,
    cell: ({ url }) => (
      <span translate="no" className="machine truncate text-text-2" title={url}>
        {url}
      </span>
    ),
  },
  {
    id: 'user-agent',
    header: t`User-Agent`,
    sortable: true,
    width: 160,
    yields: 1,
    cell: ({ userAgent }) => (
      <span translate="no" className="machine truncate text-text-2" title={userAgent}>
        {userAgent}
      </span>
    ),
  },
  {
    id: 'authenticated',
    header: t`Authenticated`,
    sortable: true,
    width: 130,
    yields: 2,
    cell: ({ authenticated }) =>
      authenticated ? <Badge tone="ok" dot="filled">{t`Yes`}</Badge> : <Badge tone="neutral" dot="ring">{t`No`}</Badge>,
  },
  {
    id: 'events',
    header: t`Events`,
    width: 140,
    needs: () => Object.values(statusTexts()),
    beside: badgeFrame,
    card: 'aside',
    cell: (row) => <Events row={row} />,
  },
]

const statusTexts = () => ({
  working: t({ message: 'Working', context: 'webhooks' }),
  failing: t`Failing`,
  stopped: t`Stopped`,
})

const statusLooks = {
  working: { tone: 'ok', dot: 'filled' },
  failing: { tone: 'warn', dot: 'ring' },
  stopped: { tone: 'danger', dot: 'slashed' },
} as const

export function WebhookState({ row }: { row: Webhook }) {
  const status = webhookStatus(row)
  return <Badge {...statusLooks[status]}>{statusTexts()[status]}</Badge>
}

function Events({ row }: { row: Webhook }) {
  const { events } = row
  if (webhookStatus(row) !== 'working') return <WebhookState row={row} />
  if (events.length === 0) return <span className="text-text-3">{t`None`}</span>
  return <span className="text-text-2">{plural(events.length, { one: '# event', other: '# events' })}</span>
}
