import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { unitSeconds } from '#contract/duration.ts'
import { actorTexts } from '#features/audit/web/actor-texts.ts'
import { sizeText } from '#features/downloads/web/downloads-data.ts'
import { useStore } from '#web/browser/store.ts'
import type { Column } from '#web/table/column.ts'
import { localeStore } from '#web/browser/locale.ts'
import { useTicking } from '#web/time/clock.ts'
import { Badge } from '#web/ui/badge.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { agoCells } from '#web/table/time-cells.tsx'
import { type DeletedItem, deletedList, kindTexts } from './deleted-data.ts'

export const deletedColumns = (): readonly Column<DeletedItem>[] => [
  { id: 'name', header: t`Name`, width: 250, cell: (row) => <Name row={row} /> },
  {
    id: 'kind',
    header: t`Kind`,
    width: 110,
    card: 'aside',
    cell: ({ kind }) => <span className="text-text-2">{i18n._(kindTexts[kind])}</span>,
  },
  { id: 'was', header: t`Before`, width: 180, yields: 2, cell: (row) => <Before row={row} /> },
  {
    id: 'deleted',
    header: t({ message: 'Deleted', context: 'time' }),
    width: 150,
    yields: 3,
    sortable: true,
    card: 1,
    ...agoCells(({ deletedAt }) => deletedAt),
  },
  { id: 'by', header: t`Deleted by`, width: 150, yields: 1, card: 2, cell: (row) => <Actor row={row} /> },
  { id: 'removed', header: t`Removed for good`, width: 150, cell: (row) => <Removed row={row} /> },
]

const Name = ({ row: { kind, name } }: { row: DeletedItem }) => (
  <span translate="no" className="block truncate" title={name}>
    {kind === 'license' ? <MachineText value={name} shape={name.length > 40 ? 'middle' : 'groups'} /> : name}
  </span>
)

function Before({ row: { subscriptions, status, size, users } }: { row: DeletedItem }) {
  const locale = useStore(localeStore)
  const names = subscriptions.map(({ level, name }) => name ?? t`Level ${level}`).join(', ')
  return (
    <span className="flex min-w-0 items-center gap-2 text-text-2">
      {names !== '' && (
        <span className="truncate" title={names} translate="no">
          {names}
        </span>
      )}
      {size !== null && <span className="tabular-nums">{sizeText(size, locale)}</span>}
      {users !== null && <span className="tabular-nums">{plural(users, { one: '# user', other: '# users' })}</span>}
      <Status status={status} />
      {names === '' && size === null && users === null && status === null && <span className="text-text-3">—</span>}
    </span>
  )
}

function Status({ status }: { status: DeletedItem['status'] }) {
  if (status === 'banned') return <Badge tone="danger" dot="slashed">{t`Banned`}</Badge>
  if (status === 'paused') return <Badge tone="warn" dot="ring">{t`Paused`}</Badge>
  if (status === 'used') return <Badge tone="ok" dot="filled">{t`Used`}</Badge>
  if (status === 'disabled')
    return (
      <Badge tone="warn" dot="ring">
        {t({ message: 'Inactive', context: 'file' })}
      </Badge>
    )
  if (status === 'stopped') return <Badge tone="danger" dot="slashed">{t`Stopped`}</Badge>
  return status === 'unused' ? <Badge tone="neutral" dot="ring">{t`Unused`}</Badge> : null
}

function Actor({ row: { deletedBy } }: { row: DeletedItem }) {
  const text = (actorTexts as Record<string, (typeof actorTexts)['owner'] | undefined>)[deletedBy.type]
  const kind = text ? i18n._(text) : deletedBy.type
  return (
    <span className="block truncate text-text-2" title={kind}>
      {deletedBy.name === '' ? kind : <span translate="no">{deletedBy.name}</span>}
    </span>
  )
}

function Removed({ row: { removedAt } }: { row: DeletedItem }) {
  const days = useTicking((now) => Math.ceil((removedAt - now) / unitSeconds.days))
  const count = Math.max(days, 1)
  const text = plural(count, { one: 'in # day', other: 'in # days' })
  return <span className={days <= 3 ? 'text-warn' : 'text-text-2'}>{text}</span>
}

interface DeletedMenu {
  open: (name: string, row: string) => void
  restore: (id: string) => void
  isRestoring: boolean
}

export function deletedMenu(row: DeletedItem, { open, restore, isRestoring }: DeletedMenu): MenuEntry[] {
  const id = deletedList.rowId(row)
  return [
    {
      label: t`Restore`,
      icon: <ArchiveRestore />,
      disabledReason: isRestoring ? t`Wait until the restore is done` : undefined,
      onSelect: () => restore(id),
    },
    { kind: 'separator' },
    { label: t`Delete for good`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', id) },
  ]
}
