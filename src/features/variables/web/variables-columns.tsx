import { t } from '@lingui/core/macro'
import { Download, Pencil, Trash2 } from 'lucide-react'
import type { Column } from '#web/table/column.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { type AppVariable, variableList } from './variables-data.ts'

/** More doesn't fit on one line. */
const maxShownData = 100

export const variableColumns = (): readonly Column<AppVariable>[] => [
  {
    id: 'name',
    header: t`Variable Name`,
    width: 240,
    cell: ({ variableName }) => <MachineText value={variableName} className="break-all text-text" />,
  },
  {
    id: 'data',
    header: t`Variable Data`,
    width: 420,
    cell: (row) => <Data text={row.variableData} />,
    cardCell: ({ variableData }) => <MachineText value={variableData.slice(0, maxShownData)} />,
  },
  { id: 'access', header: t`Access`, width: 150, card: 'aside', cell: (row) => <Access row={row} /> },
  {
    id: 'updated',
    header: t`Changed`,
    width: 150,
    cell: (row) => <TimeAgo at={row.updatedAt} className="text-text-2" />,
  },
]

/** Long data is truncated to one line; the form shows all of it. */
const Data = ({ text }: { text: string }) => (
  <span className="flex min-w-0 items-center gap-1">
    <span translate="no" className="machine truncate text-text-2" title={text.slice(0, 500)}>
      {text}
    </span>
    <CopyButton text={text} label={t`Copy data`} />
  </span>
)

function Access({ row }: { row: AppVariable }) {
  if (row.authenticated) return <Badge tone="ok" dot="filled">{t`Signed in`}</Badge>
  return (
    <Badge tone="neutral" dot="ring">
      {t({ message: 'Public', context: 'variable' })}
    </Badge>
  )
}

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
