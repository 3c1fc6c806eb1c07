import { t } from '@lingui/core/macro'
import { AddressCell, DeviceCell } from '#web/panel/panel-cells.tsx'
import { PanelLink, quietName } from '#web/panel/panel-link.tsx'
import type { Column } from '#web/table/column.ts'
import { useTicking } from '#web/time/clock.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { CountryName } from '#web/ui/country-name.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { lastHeartbeat, sessionStatus } from '#features/session-store/session-store.rules.ts'
import type { ProgramSession } from './program-sessions-data.ts'

export const sessionColumns = (): readonly Column<ProgramSession>[] => [
  {
    id: 'id',
    header: t`Session ID`,
    width: 150,
    cell: (row) => <SessionId id={row.session_id} />,
    cardCell: (row) => <MachineText value={row.session_id} shape="middle" />,
  },
  {
    id: 'user',
    header: t`User`,
    width: 180,
    card: 1,
    cell: (row) => <VerifiedUser name={row.verifiedUser} />,
    cardCell: ({ verifiedUser }) => verifiedUser ?? <VerifiedUser name={null} />,
  },
  { id: 'device', header: t`Device`, width: 115, card: 'more', cell: ({ hwid }) => <DeviceCell hwid={hwid} /> },
  {
    id: 'ip',
    header: t`IP Address`,
    width: 250,
    card: 3,
    cell: ({ ip, country }) => <Address ip={ip} country={country} />,
    cardCell: ({ ip, country }) => (
      <>
        <MachineText value={ip} /> <CountryName code={country} />
      </>
    ),
  },
  {
    id: 'created',
    header: t({ message: 'Created', context: 'session' }),
    sortable: true,
    width: 155,
    yields: 1,
    cell: (row) => <TimeAgo at={row.created_at} className="text-text-2" />,
  },
  {
    id: 'lastHeartbeat',
    header: t`Last Heartbeat`,
    width: 145,
    card: 2,
    cell: (row) => <TimeAgo at={lastHeartbeat(row)} className="text-text-2" />,
  },
  { id: 'expires', header: t`Expires`, width: 185, yields: 2, cell: (row) => <TimeLeft until={row.expires_at} /> },
  { id: 'status', header: t`Status`, width: 130, card: 'aside', cell: (row) => <SessionStatus row={row} /> },
]

const SessionId = ({ id }: { id: string }) => (
  <span className="flex min-w-0 items-center gap-1">
    <MachineText value={id} shape="middle" className="min-w-0 truncate text-text" />
    <CopyButton text={id} label={t`Copy session ID`} />
  </span>
)

const Address = ({ ip, country }: Pick<ProgramSession, 'ip' | 'country'>) => (
  <span className="flex min-w-0 items-center gap-2">
    <AddressCell ip={ip} />
    <CountryName code={country} />
  </span>
)

function VerifiedUser({ name }: { name: string | null }) {
  if (name === null) return <span className="text-text-3">{t`Not signed in`}</span>
  return <PanelLink kind="user" id={name} title={name} className={quietName} />
}

export function SessionStatus({ row }: { row: ProgramSession }) {
  const status = useTicking((now) => sessionStatus(row, now))
  if (status === 'active')
    return (
      <Badge tone="ok" dot="filled">
        {t({ message: 'Active', context: 'session' })}
      </Badge>
    )
  if (status === 'inactive')
    return (
      <Badge tone="warn" dot="ring">
        {t({ message: 'Inactive', context: 'session' })}
      </Badge>
    )
  return (
    <Badge tone="warn" dot="dashed">
      {t({ message: 'Expired', context: 'session' })}
    </Badge>
  )
}
