import { t } from '@lingui/core/macro'
import { Copy, Download, Eye, EyeOff, Pencil, Trash2 } from 'lucide-react'
import { announce } from '#web/browser/announce.ts'
import { useStore } from '#web/browser/store.ts'
import type { DialogsOf } from '#web/panel/panel-dialog.tsx'
import type { Column } from '#web/table/column.ts'
import { agoCells } from '#web/table/time-cells.tsx'
import { Badge, badgeFrame } from '#web/ui/badge.tsx'
import { CopyButton, copyText } from '#web/ui/copy-button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { shownDataStore, toggleData } from './shown-data.ts'
import { type AppVariable, variableList } from './variables-data.ts'

export const VariableForm = lazyDialog(() => import('./variables-form.tsx'), 'VariableForm')
const DeleteVariableDialog = lazyDialog(() => import('./variables-dialogs.tsx'), 'DeleteVariableDialog')

/** More doesn't fit on one line. */
const maxShownData = 200

export const variableColumns = (): readonly Column<AppVariable>[] => [
  {
    id: 'name',
    header: t`Variable Name`,
    sortable: true,
    width: 240,
    cell: ({ variableName }) => <MachineText value={variableName} className="break-all text-text" />,
  },
  {
    id: 'data',
    header: t`Variable Data`,
    width: 270,
    cell: (row) => <Data row={row} />,
    cardCell: (row) => <Value row={row} />,
  },
  {
    id: 'access',
    header: t`Access`,
    sortable: true,
    width: 150,
    needs: accessText,
    beside: badgeFrame,
    card: 'aside',
    cell: (row) => <Access row={row} />,
  },
  {
    id: 'updated',
    header: t`Changed`,
    sortable: true,
    width: 150,
    yields: 1,
    ...agoCells((row) => row.updatedAt),
  },
]

const isShownNow = (row: AppVariable) => shownDataStore.get().has(variableList.rowId(row))

function Data({ row }: { row: AppVariable }) {
  const shown = useStore(shownDataStore).has(variableList.rowId(row))
  return (
    <span className="flex min-w-0 items-center gap-1">
      <Value row={row} />
      <DataButtons row={row} shown={shown} onToggle={() => toggleData(variableList.rowId(row))} />
    </span>
  )
}

interface DataButtonsProps {
  row: AppVariable
  shown: boolean
  onToggle: () => void
}

export function DataButtons({ row: { variableName: name, variableData }, shown, onToggle }: DataButtonsProps) {
  return (
    <>
      <IconButton
        size="sm"
        label={shown ? t`Hide data of ${name}` : t`Show data of ${name}`}
        icon={shown ? <EyeOff /> : <Eye />}
        onClick={onToggle}
      />
      <CopyButton text={variableData} label={t`Copy data`} />
    </>
  )
}

/** Dots until it is asked for, and always on paper. Long data is truncated to one line; the form shows all of it. */
function Value({ row }: { row: AppVariable }) {
  const shown = useStore(shownDataStore).has(variableList.rowId(row))
  const text = row.variableData
  return (
    <>
      {shown && (
        <span className="min-w-0 truncate print:hidden!" title={text.slice(0, 500)}>
          <MachineText value={text.slice(0, maxShownData)} className="text-text-2" />
        </span>
      )}
      <HiddenData onlyOnPaper={shown} />
    </>
  )
}

export const HiddenData = ({ onlyOnPaper }: { onlyOnPaper: boolean }) => (
  <span className={`text-text-3 ${onlyOnPaper ? 'hidden print:inline' : ''}`}>
    <span aria-hidden="true" className="text-section tracking-wide">
      ••••••••
    </span>
    <span className="sr-only">{t({ message: 'Hidden', context: 'variable' })}</span>
  </span>
)

async function copyData({ variableData }: AppVariable) {
  if (await copyText(variableData)) announce(t`Copied`)
}

const accessText = ({ authenticated }: AppVariable): string =>
  authenticated ? t`Signed in` : t({ message: 'Public', context: 'variable' })

export function Access({ row }: { row: AppVariable }) {
  const look = row.authenticated
    ? ({ tone: 'ok', dot: 'filled' } as const)
    : ({ tone: 'neutral', dot: 'ring' } as const)
  return <Badge {...look}>{accessText(row)}</Badge>
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
  const { edit, remove } = variableActions((name) => open(name, id))
  return [
    edit,
    {
      label: isShownNow(row) ? t`Hide data` : t`Show data`,
      icon: isShownNow(row) ? <EyeOff /> : <Eye />,
      onSelect: () => toggleData(id),
    },
    { label: t`Copy data`, icon: <Copy />, onSelect: () => void copyData(row) },
    { kind: 'separator' },
    remove,
  ]
}

/** What opens a dialog about a variable. */
export const variableActions = (open: (name: string) => void) =>
  ({
    edit: { label: t`Edit Variable`, icon: <Pencil />, onSelect: () => open('edit') },
    remove: { label: t`Delete Variable`, icon: <Trash2 />, danger: true, onSelect: () => open('delete') },
  }) satisfies Record<string, MenuEntry>

export const variableDialogs: DialogsOf<AppVariable> = ({ onDone, onClose }) => ({
  edit: (row) => <VariableForm variable={row} onClose={onClose} />,
  delete: (row) => <DeleteVariableDialog name={row.variableName} onDone={onDone} onClose={onClose} />,
})
