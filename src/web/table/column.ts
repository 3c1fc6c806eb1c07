import type { ReactNode } from 'react'

/** One column of a DataTable. Keep the list at module level or memoize it. */
export interface Column<R> {
  id: string
  header: string
  cell: (row: R) => ReactNode
  /** Relative width, and minimum width in px. Default: 140. */
  width?: number
  align?: 'start' | 'end'
  /** Makes the header sort by this column's ID. */
  sortable?: boolean
  /** `false` for the column that names the row. Default: all columns but the first can be hidden. */
  hideable?: boolean
  /** Hidden until the user shows it. */
  startsHidden?: boolean
  /** Position in the card on phones. Default: the first column is the title, the others are on the second line. */
  card?: 'title' | 'aside' | 'meta' | 'hidden'
}

export const columnWidth = <R>(column: Column<R>) => column.width ?? 140
