import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { AddressCell } from '#web/panel/panel-cells.tsx'
import { PanelLink, quietName } from '#web/panel/panel-link.tsx'
import type { Column } from '#web/table/column.ts'
import { agoCells } from '#web/table/time-cells.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { RejectedBadge } from '#web/ui/rejected-badge.tsx'
import { eventText } from './event-texts.ts'
import { actorName } from './actor-texts.ts'
import type { AuditEntry } from './audit-data.ts'
import { OwnerLink, ownerActor, ownerTarget } from './owner-names.tsx'
import { actorSubject, addressSubject, targetSubject, useSelectedAppId } from './panel-names.tsx'
import { countedTargetText } from './target-text.ts'

const act: Column<AuditEntry>['cell'] = (row) => <EventCell row={row} />
const plainTarget: Column<AuditEntry>['cell'] = ({ target: text }) => {
  const counted = countedTargetText(text)
  return counted === undefined ? <Known text={text} /> : <span className="block truncate text-text-2">{counted}</span>
}

export const auditColumns = (): readonly Column<AuditEntry>[] => [
  { id: 'act', header: t`Event`, width: 220, card: 'title', cell: act },
  {
    id: 'target',
    header: t`Target`,
    width: 220,
    yields: 3,
    card: 3,
    cell: (row) => <Target row={row} />,
    cardCell: (row) => row.target !== '' && plainTarget(row),
  },
  {
    id: 'actor',
    header: t`Who`,
    width: 150,
    needs: ({ actor }) => neededOfActor(actorName(actor)),
    card: 2,
    cell: (row) => <ActorCell row={row} />,
    cardCell: ({ actor }) => actorName(actor).name,
  },
  { id: 'app', header: t`App`, width: 150, yields: 1, cell: (row) => <AppCell row={row} /> },
  { id: 'ip', header: t`IP Address`, width: 140, startsHidden: true, cell: (row) => <Address row={row} /> },
  {
    id: 'time',
    header: t`Time`,
    sortable: true,
    width: 190,
    card: 1,
    ...agoCells((row) => row.timestamp),
  },
]

/** The administration has panels of accounts only; other names are plain. */
const plainCells: Readonly<Record<string, Column<AuditEntry>['cell']>> = {
  target: (row) => <PlatformTarget row={row} />,
  actor: (row) => <PlatformActor row={row} />,
  ip: ({ ip }) => <Known text={ip} />,
}

export const platformAuditColumns = (): readonly Column<AuditEntry>[] =>
  auditColumns().flatMap((column) => {
    if (column.id === 'app') {
      const cell = (row: AuditEntry) => <OwnerCell row={row} />
      return [{ id: 'owner', header: t`Owner`, width: 160, yields: 2, cell }, column]
    }
    return [{ ...column, cell: plainCells[column.id] ?? column.cell }]
  })

export const isRejection = (code: string) => code === 'access.denied' || code.endsWith('-failed')

function EventCell({ row }: { row: AuditEntry }) {
  const text = eventText(row.act)
  return (
    <span className="flex min-w-0 items-center gap-2">
      {isRejection(row.act) && <RejectedBadge />}
      <span className="truncate text-text" title={text}>
        {text}
      </span>
    </span>
  )
}

/** The target, as a link when it has a panel. */
function Target({ row }: { row: AuditEntry }) {
  const subject = targetSubject(row, useSelectedAppId())
  if (!subject) return plainTarget(row)
  return (
    <span translate="no" className="block truncate" title={row.target}>
      <PanelLink {...subject} className={`${quietName} machine text-text-2`}>
        {row.target}
      </PanelLink>
    </span>
  )
}

function Address({ row }: { row: AuditEntry }) {
  return addressSubject(row, useSelectedAppId()) ? <AddressCell ip={row.ip} /> : <Known text={row.ip} />
}

function ActorCell({ row }: { row: AuditEntry }) {
  const subject = actorSubject(row, useSelectedAppId())
  return <PlainActor row={row} link={subject && <PanelLink {...subject} className={quietName} />} />
}

/** Longer names have a tooltip. */
const longestActor = 20

const neededOfActor = ({ name, kind }: { name: string; kind: string }): string =>
  name.length + kind.length > longestActor ? 'x'.repeat(longestActor) : `${name} ${kind}`

function PlainActor({ row: { actor }, link }: { row: AuditEntry; link?: ReactNode }) {
  const { name, kind } = actorName(actor)
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      <span
        className="min-w-12 truncate text-text"
        title={name}
        translate={actor.name === '' || actor.isYou ? undefined : 'no'}
      >
        {link ?? name}
      </span>
      {kind !== '' && (
        <span className="truncate text-meta text-text-3" title={kind}>
          {kind}
        </span>
      )}
    </span>
  )
}

function PlatformTarget({ row }: { row: AuditEntry }) {
  const subject = ownerTarget(row)
  if (!subject) return plainTarget(row)
  return (
    <span className="block truncate text-text-2">
      <OwnerLink id={subject.id} name={row.target} />
    </span>
  )
}

function PlatformActor({ row }: { row: AuditEntry }) {
  const subject = ownerActor(row)
  return <PlainActor row={row} link={subject && <OwnerLink id={subject.id} name={actorName(row.actor).name} />} />
}

const AppCell = ({ row: { app } }: { row: AuditEntry }) =>
  app === null ? <Nothing /> : <Name text={app.name} id={app.id} />

function OwnerCell({ row: { owner } }: { row: AuditEntry }) {
  if (owner.id === '') return <Nothing />
  if (owner.name === '') return <Known text={owner.id} />
  return (
    <span className="block truncate text-text-2">
      <OwnerLink {...owner} />
    </span>
  )
}

const Name = ({ text, id }: { text: string; id: string }) =>
  text === '' ? (
    <Known text={id} />
  ) : (
    <span className="block truncate text-text-2" title={id} translate="no">
      {text}
    </span>
  )

const Nothing = () => <span className="text-text-3">—</span>

function Known({ text }: { text: string }) {
  if (text === '') return <Nothing />
  return (
    <span className="block truncate" title={text} translate="no">
      <MachineText value={text} className="text-text-2" />
    </span>
  )
}
