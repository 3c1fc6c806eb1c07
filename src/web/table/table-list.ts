import type { ReactNode } from 'react'
import type { TableId } from '#contract/table-ids.ts'
import type { CallFailed } from '../api/call-failed.ts'
import type { Store } from '../browser/store.ts'
import type { PanelKind } from '../panel/panel-address.ts'
import type { MenuEntry } from '../ui/menu-entry.ts'
import type { Column } from './column.ts'
import type { ColumnVisibility } from './preferences.ts'
import type { Selection } from './selection.ts'
import type { TableState } from './use-table-state.ts'

/** What others have changed in the rows in view. */
export interface LiveRows {
  /** Number of rows that are new and not shown. */
  added: number
  /** IDs of rows in view that no longer exist. */
  gone: ReadonlySet<string>
  /** New rows are on their way. */
  isLoading: boolean
  /** Why the server did not say what has changed, until it does; a lost connection is told elsewhere. */
  failure: CallFailed | undefined
  /** Loads the page again, with its new rows and without deleted ones. */
  show: () => void
}

/** The rows of a table and which they are; `useListPage` makes it. */
export interface TableList<R> {
  state: TableState
  /** The rows in view; `undefined` until the first answer. */
  rows: readonly R[] | undefined
  /** Rows on all pages. */
  total: number
  /** There are more than were counted. */
  isMore?: boolean
  /** They can all be counted on demand. */
  canCountAll?: boolean
  rowId: (row: R) => string
  selection: Selection
  /** Of a list that follows changes. */
  live?: LiveRows | undefined
  view: {
    /** The page and page size that the rows belong to. */
    page: number
    limit: number
    /** When the rows were loaded, unless they are of another page or filter; epoch milliseconds. */
    loadedAt: number
    /** How the rows differ from those that the URL asks for: they are of another page, or of another filter. */
    mismatch: 'none' | 'page' | 'filter'
    isFetching: boolean
    error: unknown
    retry: () => void
  }
}

export interface DataTableProps<R extends object> {
  /** Keeps this table's columns and saved views apart from others'. */
  id: TableId
  /** Names the table, e.g. "Licenses". */
  label: string
  list: TableList<R>
  columns: readonly Column<R>[]
  /** Names a row in its checkbox and menu. */
  rowLabel: (row: R) => string
  /** Shown when nothing exists at all: an EmptyState. */
  empty: ReactNode
  /** What is said when nothing matches, where the list has a text of its own. */
  noMatchTitle?: string
  /** The text for a failed load, e.g. 'Failed to load licenses'. */
  errorText: string
  searchPlaceholder?: string
  /** Its rows are in this order until the reader sorts them. */
  newestFirst?: boolean
  /** A FacetLine: beside the search, on phones a line of its own above it. */
  facets?: ReactNode
  /** FilterChips. */
  filters?: ReactNode
  /** A BulkBar; it floats while something is selected. Without it rows can't be selected. */
  bulkBar?: ReactNode
  rowMenu?: (row: R) => readonly MenuEntry[]
  /** Click and Enter on a row open the panel of this kind; the row's ID is that of the panel's subject. */
  panelKind?: PanelKind
  /** Rows begin with a button that opens and closes their panel. */
  panelButton?: boolean
  /** Says beneath it which page of how many is in view. */
  namesPage?: boolean
}

/** What the bodies of a table, grid and cards, take besides. */
export interface TableBodyProps<R extends object> extends DataTableProps<R> {
  rows: readonly R[] | undefined
  visibility: ColumnVisibility
  /** Told which columns have no space. */
  leftOut: Store<readonly string[]>
  selection: Selection | undefined
  /** The rows are on their way, or are still those of another page. */
  isBusy: boolean
  rowsStyle: string
  /** Click and Enter on a row. */
  onOpen?: ((row: R) => void) | undefined
  /** ID of the row whose panel is open. */
  panelRow?: string | undefined
  /** Shows another row in the panel that is open. */
  onPanelRow?: ((id: string) => void) | undefined
  /** Opens the panel of a row, or closes it. */
  onPanelToggle?: ((id: string) => void) | undefined
  /** Turns to another page. */
  onTurn: (page: number, options?: { replace?: boolean }) => void
}
