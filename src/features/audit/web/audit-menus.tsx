import { t } from '@lingui/core/macro'
import { ListFilter } from 'lucide-react'
import type { TableState } from '#web/table/use-table-state.ts'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import type { AuditEntry } from './audit-data.ts'

/** Row menu that filters the list by values of the row. */
export function auditMenu(row: AuditEntry, { setFilter, setSearch }: TableState, isPlatform: boolean): MenuEntry[] {
  const { act, actor, app, ip, owner, target } = row
  const only = (label: string, value: string, choose: (value: string) => void): MenuEntry[] =>
    value === '' ? [] : [{ label, icon: <ListFilter />, onSelect: () => choose(value) }]
  return [
    ...only(t`Only this event`, act.replace(/\.undo$/, ''), (value) => setFilter('act', value)),
    ...only(t`Only this target`, target, setSearch),
    ...only(t`Only this actor`, actor.id, (value) => setFilter('actorId', value)),
    ...only(t`Only this app`, app?.id ?? '', (value) => setFilter('app', value)),
    ...only(t`Only this address`, ip, (value) => setFilter('ip', value)),
    ...(isPlatform ? only(t`Only this owner`, owner.id, (value) => setFilter('owner', value)) : []),
  ]
}
