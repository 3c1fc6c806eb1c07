import { t } from '@lingui/core/macro'
import { PanelRight } from 'lucide-react'
import { useCallback } from 'react'
import { usePanel } from '../panel/use-panel.ts'
import type { MenuEntry } from '../ui/menu-entry.ts'
import type { DataTableProps } from './table-list.ts'

interface RowPanel<R> {
  /** ID of the row whose panel is open. */
  row: string | undefined
  /** Shows another row in the open panel; Back leaves the panel. */
  onRow: (id: string) => void
  onOpen: (row: R) => void
  /** Opens the panel of a row, or closes it. */
  onToggle: (id: string) => void
  rowMenu: (row: R) => readonly MenuEntry[]
}

/** Rows that open the panel of their kind; undefined for tables without one. */
export function useRowPanel<R extends object>(props: DataTableProps<R>): RowPanel<R> | undefined {
  const { panelKind: kind, list, rowMenu: menu } = props
  const { subject, open, close } = usePanel()
  const { rowId } = list
  const isOpen = subject !== undefined
  const show = useCallback((id: string) => kind && open({ kind, id }, { replace: isOpen }), [kind, open, isOpen])
  const onOpen = useCallback((row: R) => show(rowId(row)), [show, rowId])
  const shown = subject?.kind === kind ? subject?.id : undefined
  const onToggle = useCallback((id: string) => (id === shown ? close() : show(id)), [shown, close, show])
  const rowMenu = useCallback(
    (row: R): readonly MenuEntry[] => [
      { label: t`Details`, icon: <PanelRight />, shortcut: '↵', onSelect: () => show(rowId(row)) },
      ...(menu?.(row) ?? []),
    ],
    [show, rowId, menu],
  )
  if (kind === undefined) return undefined
  return { row: shown, onRow: show, onOpen, onToggle, rowMenu }
}
