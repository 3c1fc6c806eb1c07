import { t } from '@lingui/core/macro'
import { AddressCell, DeviceCell } from '#web/panel/panel-cells.tsx'
import { PanelLink, quietName } from '#web/panel/panel-link.tsx'
import type { Column } from '#web/table/column.ts'
import { useTicking } from '#web/time/clock.ts'
import { agoCells } from '#web/table/time-cells.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { ipv4Length, neededOfEnd, neededOfMachine } from '#web/table/needed-texts.ts'
import { countryText } from '#web/ui/country-text.ts'
import { Badge, badgeFrame } from '#web/ui/badge.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { CountryName } from '#web/ui/country-name.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { lastHeartbeat, sessionStatus } from '#features/session-store/session-store.rules.ts'
import type { ProgramSession } from './program-sessions-data.ts'

export const sessionColumns = (): readonly Column<ProgramSession>[] => [
  {
    id: 'id',
    header: t`Session ID`,
    width: 140,
    firm: true,
    cell: (row) => <SessionId id={row.session_id} />,
    cardCell: (row) => <MachineText value={row.session_id} shape="middle" />,
  },
  {
    id: 'user',
    header: t`User`,
    width: 180,
    needs: ({ verifiedUser }) => verifiedUser?.slice(0, 24) ?? t`Not signed in`,
    card: 1,
    cell: (row) => <VerifiedUser name={row.verifiedUser} />,
    cardCell: ({ verifiedUser }) => verifiedUser ?? <VerifiedUser name={null} />,
  },
  {
    id: 'device',
    header: t`Device`,
    width: 98,
    firm: true,
    yields: 3,
    card: 'more',
    cell: ({ hwid }) => <DeviceCell hwid={hwid} />,
  },
  {
    id: 'ip',
    header: t`IP Address`,
    width: 250,
    needs: ({ ip, country }) => `${neededOfMachine(ip, ipv4Length)} ${country && countryText(country).slice(0, 16)}`,
    beside: 30,
    yields: 4,
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
    ...agoCells((row) => row.created_at),
  },
  {
    id: 'lastHeartbeat',
    header: t`Last Heartbeat`,
    width: 145,
    yields: 5,
    card: 2,
    ...agoCells(lastHeartbeat),
  },
  {
    id: 'expires',
    header: t`Expires`,
    sortable: true,
    width: 185,
    needs: (row) => neededOfEnd(row.expires_at),
    yields: 2,
    cell: (row) => <TimeLeft until={row.expires_at} />,
  },
  {
    id: 'status',
    header: t`Status`,
    width: 130,
    needs: () => Object.values(statusTexts()),
    beside: badgeFrame,
    card: 'aside',
    cell: (row) => <SessionStatus row={row} />,
  },
]

const SessionId = ({ id }: { id: string }) => (
  <span className="flex min-w-0 items-center gap-1">
    <MachineText value={id} shape="start" className="text-text" />
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

const statusTexts = () => ({
  active: t({ message: 'Active', context: 'session' }),
  inactive: t({ message: 'Inactive', context: 'session' }),
  expired: t({ message: 'Expired', context: 'session' }),
})

const statusLooks = {
  active: { tone: 'ok', dot: 'filled' },
  inactive: { tone: 'warn', dot: 'ring' },
  expired: { tone: 'warn', dot: 'dashed' },
} as const

export function SessionStatus({ row }: { row: ProgramSession }) {
  const status = useTicking((now) => sessionStatus(row, now))
  return <Badge {...statusLooks[status]}>{statusTexts()[status]}</Badge>
}
