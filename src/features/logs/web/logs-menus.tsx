import { t } from '@lingui/core/macro'
import { CalendarClock, Download, ListFilter, ShieldQuestionMark, Trash2 } from 'lucide-react'
import type { TableState } from '#web/table/use-table-state.ts'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { type Log, logList } from './logs-data.ts'

type Open = (name: string, row?: string) => void

export function moreMenu(isEmpty: boolean, open: Open): MenuEntry[] {
  const disabledReason = isEmpty ? t`There are no logs` : undefined
  return [
    { label: t`Export`, icon: <Download />, onSelect: () => open('export'), disabledReason },
    { label: t`Log retention`, icon: <CalendarClock />, onSelect: () => open('retention') },
    { kind: 'separator' },
    { label: t`Delete All`, icon: <Trash2 />, danger: true, onSelect: () => open('delete-all'), disabledReason },
  ]
}

interface LogActions {
  setFilter: TableState['setFilter']
  open: Open
  explain: (search: string) => void
}

export function logMenu(row: Log, { setFilter, open, explain }: LogActions): MenuEntry[] {
  const { code, credential, license, device, ip } = row
  const subject = credential || license || ip
  const only = (label: string, name: string, value: string): MenuEntry[] =>
    value === '' ? [] : [{ label, icon: <ListFilter />, onSelect: () => setFilter(name, value) }]
  return [
    ...only(t`Only this credential`, 'credential', credential),
    ...only(t`Only this device`, 'hwid', device),
    ...only(t`Only this address`, 'ip', ip),
    ...(code === '' || subject === ''
      ? []
      : [{ label: t`Why was this rejected?`, icon: <ShieldQuestionMark />, onSelect: () => explain(subject) }]),
    { kind: 'separator' },
    { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', logList.rowId(row)) },
  ]
}
