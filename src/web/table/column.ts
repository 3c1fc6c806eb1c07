import type { ReactNode } from 'react'

/** One column of a DataTable. Keep the list at module level or memoize it. */
export interface Column<R> {
  id: string
  header: string
  cell: (row: R) => ReactNode
  /** Relative width, and minimum width in px. Default: 140. */
  width?: number
  align?: 'start' | 'end'
  /** Its cells have two lines, so all rows of the table are taller. */
  twoLines?: boolean
  /** Makes the header sort by this column's ID. */
  sortable?: boolean
  /** `false` for the column that names the row. Default: all columns but the first can be hidden. */
  hideable?: boolean
  /** Hidden until the user shows it. */
  startsHidden?: boolean
  /**
   * Place in the card on phones: `title` and `aside` are its first line, 1 to 3 the facts of its second; `more` is only
   * in the opened card. Default: the first column is the title; without numbers, the next three are the facts.
   */
  card?: 'title' | 'aside' | 1 | 2 | 3 | 'more' | 'hidden'
  /** Its content in the card; an empty one is left out of the second line. */
  cardCell?: (row: R) => ReactNode
}

export const columnWidth = <R>(column: Column<R>) => column.width ?? 140
