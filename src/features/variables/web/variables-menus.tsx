import { t } from '@lingui/core/macro'
import { Download, Pencil, Trash2 } from 'lucide-react'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { type AppVariable, variableList } from './variables-data.ts'

export function moreMenu(isEmpty: boolean, open: (name: string) => void): MenuEntry[] {
  const disabledReason = isEmpty ? t`There are no variables` : undefined
  return [
    { label: t`Export`, icon: <Download />, onSelect: () => open('export'), disabledReason },
    { kind: 'separator' },
    {
      label: t({ message: 'Delete All', context: 'variables' }),
      icon: <Trash2 />,
      danger: true,
      onSelect: () => open('delete-all'),
      disabledReason,
    },
  ]
}

export function variableMenu(row: AppVariable, open: (name: string, row: string) => void): MenuEntry[] {
  const id = variableList.rowId(row)
  return [
    { label: t`Edit Variable`, icon: <Pencil />, onSelect: () => open('edit', id) },
    { kind: 'separator' },
    { label: t`Delete Variable`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', id) },
  ]
}
