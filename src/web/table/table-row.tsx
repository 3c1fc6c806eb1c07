// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- some browsers derive roles from `display`
import { t } from '@lingui/core/macro'
import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { Checkbox } from '../ui/checkbox.tsx'
import { Menu } from '../ui/menu.tsx'
import type { MenuEntry } from '../ui/menu-entry.ts'
import type { Column } from './column.ts'
import type { Density } from './stored-preferences.ts'
import { isForRow } from './row-click.ts'
import { showWhole } from './show-whole.ts'

const rowHeights: Record<Density, string> = { compact: 'min-h-8', regular: 'min-h-10', relaxed: 'min-h-13' }
const twoLineHeights: Record<Density, string> = { compact: 'min-h-11', regular: 'min-h-13', relaxed: 'min-h-16' }
const pixels: Record<string, number> = { 'min-h-8': 32, 'min-h-10': 40, 'min-h-11': 44, 'min-h-13': 52, 'min-h-16': 64 }

export const rowHeight = <R,>(columns: readonly Column<R>[], density: Density): string =>
  (columns.some(({ twoLines }) => twoLines) ? twoLineHeights : rowHeights)[density]

export const rowPixels = <R,>(columns: readonly Column<R>[], density: Density): number =>
  pixels[rowHeight(columns, density)] ?? 0

interface TableRowProps<R> {
  id: string
  row: R
  columns: readonly Column<R>[]
  label: (row: R) => string
  density: Density
  selected: boolean
  /** The table scrolls horizontally: checkbox and menu stay visible. */
  pinned: boolean
  focusable: boolean
  /** Its panel is open. */
  opened: boolean
  /** It was deleted, and stays until the list is loaded again. */
  gone: boolean
  onFocusRow: (id: string) => void
  onToggle?: (id: string, range: boolean) => void
  /** Opens or closes its panel. */
  onPanelToggle?: (id: string) => void
  onOpen?: (row: R) => void
  menu?: (row: R) => readonly MenuEntry[]
}

export const goneStyle = 'opacity-45 transition-opacity duration-150'
const cell = 'border-t border-line px-3 align-middle'

function Row<R>(props: TableRowProps<R>) {
  const { id, row, columns, label, density, selected, pinned, opened, onToggle, onPanelToggle, onOpen, menu } = props
  const name = label(row)
  const pin = pinned ? 'sticky z-1 bg-inherit' : 'relative'
  const open = onOpen && (() => onOpen(row))
  const background = selected ? 'bg-surface-3' : opened ? 'bg-surface-2' : 'bg-surface-1 hover:bg-surface-2'
  return (
    <tr
      role="row"
      data-row={id}
      data-selected={selected || undefined}
      aria-current={opened || undefined}
      aria-disabled={props.gone || undefined}
      tabIndex={props.focusable ? 0 : -1}
      onFocus={() => props.onFocusRow(id)}
      onClick={open && ((event) => isForRow(event) && open())}
      className={`group ${rowHeight(columns, density)} -outline-offset-2 ${background} ${opened ? 'shadow-[inset_2px_0_0_var(--color-accent-edge)]' : ''} ${open ? 'cursor-pointer' : ''} ${props.gone ? goneStyle : ''}`}
    >
      {onToggle && (
        <td role="cell" data-print="no" className={`${pin} left-0 ${cell} pr-0`}>
          {selected && (
            <span aria-hidden="true" className="keep-color absolute -top-px bottom-0 left-0 w-0.5 bg-accent-edge" />
          )}
          <Checkbox
            aria-label={t`Select ${name}`}
            checked={selected}
            onChange={(event) => onToggle(id, (event.nativeEvent as globalThis.MouseEvent).shiftKey)}
          />
        </td>
      )}
      {onPanelToggle && (
        <td role="cell" data-print="no" className={`${cell} pr-0`}>
          <button
            type="button"
            aria-expanded={opened}
            aria-label={t`Details of ${name}`}
            onClick={() => onPanelToggle(id)}
            className="flex size-6 items-center justify-center rounded-sm text-text-2 hover:bg-surface-3 hover:text-text"
          >
            <ChevronRight className={`size-4 transition-transform duration-100 ${opened ? 'rotate-90' : ''}`} />
          </button>
        </td>
      )}
      {columns.map((column, index) => (
        <td
          role="cell"
          key={column.id}
          onPointerEnter={showWhole}
          className={`${cell} truncate ${column.align === 'end' ? 'text-right tabular-nums' : ''}`}
        >
          {props.gone && index === 0 && <span className="sr-only">{t({ message: 'Deleted', context: 'row' })} </span>}
          {column.cell(row)}
        </td>
      ))}
      {menu && (
        <td role="cell" data-print="no" className={`${pin} right-0 ${cell} pl-0 text-right`}>
          <Menu
            key={id}
            label={t`Actions for ${name}`}
            entries={() => menu(row)}
            className="dots inline-flex size-7 items-center justify-center rounded-md text-text-3 hover:bg-surface-3 hover:text-text focus-visible:text-text data-[state=open]:bg-surface-3 data-[state=open]:text-text group-hover:text-text-2"
          />
        </td>
      )}
    </tr>
  )
}

// Memoized, so that select-all on 100 rows stays within a frame.
export const TableRow = memo(Row) as typeof Row
