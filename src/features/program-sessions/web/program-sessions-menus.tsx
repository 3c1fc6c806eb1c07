import { t } from '@lingui/core/macro'
import { Trash2 } from 'lucide-react'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { type ProgramSession, sessionList } from './program-sessions-data.ts'

export function moreMenu(isEmpty: boolean, open: (name: string) => void): MenuEntry[] {
  const disabledReason = isEmpty ? t`There are no sessions` : undefined
  return [{ label: t`Delete all`, icon: <Trash2 />, danger: true, onSelect: () => open('delete-all'), disabledReason }]
}

export function sessionMenu(row: ProgramSession, open: (name: string, row: string) => void): MenuEntry[] {
  const remove = () => open('delete', sessionList.rowId(row))
  return [{ label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: remove }]
}
