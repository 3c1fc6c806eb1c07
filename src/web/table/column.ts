import type { ReactNode } from 'react'
import type { ColumnSpace } from './column-layout.ts'

/** One column of a DataTable. Keep the list at module level or memoize it. */
export interface Column<R> {
  id: string
  header: string
  /** Without state of its own: its component is given another row when the page is turned. */
  cell: (row: R) => ReactNode
  /** Relative width, and minimum width in px. Default: 140. */
  width?: number
  /** Text that is never cut, such as a key: the column is as wide as the longest on the page. Its cell can wrap. */
  whole?: (row: R) => string
  /** Never narrower than its width: a badge can't be cut. */
  firm?: boolean
  /** Order in which columns are left out where space is short, 1 first. Columns without a number stay. */
  yields?: number
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

/** Longer texts wrap. */
const maxWholeLength = 48
/** Of the monospaced font at its larger size; then the padding and a copy button. */
const characterWidth = 7.8
const besideText = 60

/** What a column needs of the width of its table. */
export function columnSpace<R>({ id, width = 140, whole, firm, yields }: Column<R>, rows: readonly R[]): ColumnSpace {
  const longest = whole ? rows.reduce((length, row) => Math.max(length, whole(row).length), 0) : 0
  const wholeWidth =
    longest === 0 ? (firm ? width : 0) : Math.min(longest, maxWholeLength) * characterWidth + besideText
  return { id, width, wholeWidth, yields }
}
