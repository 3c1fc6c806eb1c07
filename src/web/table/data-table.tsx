import type { ReactNode } from 'react'
import { failureText, requestIdOf } from '../errors.ts'
import { LoadFailed, NoMatch } from '../ui/empty-state.tsx'
import { Filament } from '../ui/filament.tsx'
import type { MenuEntry } from '../ui/menu-entry.ts'
import { useIsPhone } from '../use-media.ts'
import type { Column } from './column.ts'
import { Pagination } from './pagination.tsx'
import { useColumnChoice } from './preferences.ts'
import { SearchBox } from './search-box.tsx'
import type { Selection } from './selection.ts'
import { TableCards } from './table-cards.tsx'
import { TableGrid } from './table-grid.tsx'
import type { TableState } from './use-table-state.ts'
import { ColumnMenu } from './column-menu.tsx'
import { DensityMenu } from './density-menu.tsx'

export interface DataTableProps<R extends object> {
  /** Keeps this table's column choice apart from others'. */
  id: string
  /** Names the table, e.g. "Licenses". */
  label: string
  columns: readonly Column<R>[]
  /** The rows of this page; `undefined` until the first answer. */
  rows: readonly R[] | undefined
  /** Rows on all pages. */
  total: number
  rowId: (row: R) => string
  /** Names a row in its checkbox and menu. */
  rowLabel: (row: R) => string
  state: TableState
  /** Shown when nothing exists at all: an EmptyState. */
  empty: ReactNode
  /** A refetch runs: rows stay, the line at the top sweeps. */
  fetching?: boolean
  error?: unknown
  /** The document's text for a failed load, e.g. 'Failed to load licenses'. */
  errorText?: string
  onRetry?: () => void
  searchPlaceholder?: string
  /** FilterChips. */
  filters?: ReactNode
  selection?: Selection
  /** A BulkBar; it floats while something is selected. */
  bulkBar?: ReactNode
  rowMenu?: (row: R) => readonly MenuEntry[]
  /** Click and Enter on a row. */
  onOpen?: (row: R) => void
  /** What an opened row shows beneath it. */
  expand?: (row: R) => ReactNode
}

export function DataTable<R extends object>(props: DataTableProps<R>) {
  const { id, label, columns, rows, total, state, error, onRetry, filters, selection, bulkBar } = props
  const isPhone = useIsPhone()
  const choice = useColumnChoice(id, columns)
  const failed = error !== undefined && error !== null && rows === undefined
  const isEmpty = rows !== undefined && rows.length === 0
  const hasSelection = selection !== undefined && selection.count(total) > 0
  const Body = isPhone ? TableCards : TableGrid

  return (
    <div>
      <div className="mb-4 flex flex-wrap items-center gap-2.5" data-print="no">
        <SearchBox value={state.search} onSearch={state.setSearch} placeholder={props.searchPlaceholder} />
        {filters}
        <div className="ml-auto flex items-center gap-1 max-md:hidden">
          <ColumnMenu choice={choice} />
          <DensityMenu />
        </div>
      </div>
      {/* `clip`, not `hidden`: the header and the bulk bar stick to the window. */}
      <div className="relative overflow-clip rounded-lg border border-line bg-surface-1">
        <Filament active={props.fetching ?? false} />
        {failed ? (
          <LoadFailed
            message={failureText(error, props.errorText ?? label)}
            requestId={requestIdOf(error)}
            onRetry={onRetry}
          />
        ) : isEmpty ? (
          state.isFiltered ? (
            <NoMatch search={state.search} onClear={state.clear} />
          ) : (
            props.empty
          )
        ) : (
          <Body {...props} columns={choice.columns} visibility={choice.visibility} />
        )}
        {hasSelection && bulkBar && (
          <>
            <div className="border-t border-line" />
            <div className="pointer-events-none sticky bottom-3 z-30 flex justify-center p-3">{bulkBar}</div>
          </>
        )}
      </div>
      {!failed && <Pagination state={state} total={total} shown={rows?.length} />}
    </div>
  )
}
