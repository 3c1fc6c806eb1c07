import type { ReactNode } from 'react'

/** One column of a DataTable. Keep the list at module level or memoised. */
export interface Column<R> {
  id: string
  header: string
  cell: (row: R) => ReactNode
  /** Share of the width, and the least width in px. Default 140. */
  width?: number
  align?: 'start' | 'end'
  /** The header sorts by this column's id. */
  sortable?: boolean
  /** `false` for the column that names the row. Default: every column but the first can be hidden. */
  hideable?: boolean
  /** Hidden until the reader turns it on. */
  startsHidden?: boolean
  /** Its place in the phone's card. Default: the first column is the title, the rest stands on the second line. */
  card?: 'title' | 'aside' | 'meta' | 'hidden'
}

export const columnWidth = <R>(column: Column<R>) => column.width ?? 140
