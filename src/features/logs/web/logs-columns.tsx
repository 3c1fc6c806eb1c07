import { t } from '@lingui/core/macro'
import type { PanelKind } from '#web/panel/panel-address.ts'
import { PanelLink, quietName } from '#web/panel/panel-link.tsx'
import type { Column } from '#web/table/column.ts'
import { ipv4Length, neededOfMachine } from '#web/table/needed-texts.ts'
import { agoCells } from '#web/table/time-cells.tsx'
import { CopyableValue } from '#web/ui/copyable-value.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { RejectedBadge } from '#web/ui/rejected-badge.tsx'
import { messageCall } from '../logs.rules.ts'
import { callName, type Log, logLine } from './logs-data.ts'

export const logColumns = (): readonly Column<Log>[] => [
  {
    id: 'data',
    header: t`Log Data`,
    width: 380,
    cell: (row) => <LogData row={row} />,
    cardCell: (row) => <ShortLogData row={row} />,
  },
  {
    id: 'credential',
    header: t`Credential`,
    width: 200,
    yields: 3,
    card: 2,
    cell: ({ credential, license }) => <Known text={credential} kind={credential === license ? 'license' : 'user'} />,
    cardCell: ({ credential }) => credential && <Known text={credential} />,
  },
  {
    id: 'device',
    header: t`Device`,
    width: 140,
    yields: 2,
    card: 'more',
    cell: ({ device }) => <Known text={device} kind="device" copyLabel={t`Copy HWID`} />,
  },
  {
    id: 'ip',
    header: t`IP Address`,
    width: 140,
    needs: ({ ip }) => neededOfMachine(ip, ipv4Length),
    yields: 1,
    cell: ({ ip }) => <Known text={ip} kind="address" copyLabel={t`Copy IP address`} />,
  },
  {
    id: 'date',
    header: t`Date`,
    sortable: true,
    width: 190,
    card: 1,
    ...agoCells(({ timestamp }) => timestamp),
  },
]

function LogData({ row }: { row: Log }) {
  const { call, code } = row
  const line = logLine(row)
  const isMessage = call === messageCall
  return (
    <span className="flex min-w-0 items-center gap-x-2 max-sm:flex-wrap" title={line}>
      {code !== '' && <RejectedBadge />}
      <span className={`truncate ${isMessage ? 'machine text-text' : ''}`} translate={isMessage ? 'no' : undefined}>
        {line}
      </span>
      {code !== '' && <span className="truncate text-text-2">{callName(call)}</span>}
    </span>
  )
}

/** Without the call, which the panel names. */
function ShortLogData({ row }: { row: Log }) {
  const isMessage = row.call === messageCall
  return (
    <span className="flex min-w-0 items-center gap-2">
      {row.code !== '' && <RejectedBadge />}
      <span className={`truncate ${isMessage ? 'machine text-text' : ''}`} translate={isMessage ? 'no' : undefined}>
        {logLine(row)}
      </span>
    </span>
  )
}

/** With a kind, it opens its panel. */
function Known({ text, kind, copyLabel }: { text: string; kind?: PanelKind; copyLabel?: string }) {
  if (text === '') return <span className="text-text-3">—</span>
  const value = (
    <span className="block truncate" title={text}>
      {kind ? (
        <PanelLink kind={kind} id={text} className={`${quietName} machine text-text-2`} />
      ) : (
        <MachineText value={text} className="text-text-2" />
      )}
    </span>
  )
  if (copyLabel === undefined) return value
  return (
    <CopyableValue text={text} label={copyLabel}>
      {value}
    </CopyableValue>
  )
}
