import { t } from '@lingui/core/macro'
import { ChartNoAxesColumn, Link, Pencil, Power, Trash2 } from 'lucide-react'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { type Download, downloadList } from './downloads-data.ts'

export function downloadMenu(row: Download, open: (name: string, row: string) => void): MenuEntry[] {
  const id = downloadList.rowId(row)
  return [
    { label: t`Copy link`, icon: <Link />, onSelect: () => open('link', id) },
    { label: t`Statistics`, icon: <ChartNoAxesColumn />, onSelect: () => open('statistics', id) },
    { label: t`Edit`, icon: <Pencil />, onSelect: () => open('edit', id) },
    { label: row.active ? t`Disable` : t`Enable`, icon: <Power />, onSelect: () => open('toggle', id) },
    { kind: 'separator' },
    { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', id) },
  ]
}
