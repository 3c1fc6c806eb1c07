import type { ReactNode } from 'react'
import type { ColumnSpace } from './column-layout.ts'

/** One column of a DataTable. Keep the list at module level or memoize it. */
export interface Column<R> {
  id: string
  header: string
  /** What its cells don't tell; a tooltip of the header. */
  note?: string
  /** Without state of its own: its component is given another row when the page is turned. */
  cell: (row: R) => ReactNode
  /** Relative width, and minimum width in px. Default: 140. */
  width?: number
  /** What its cell must show in full, if the column is shown; several for states, of which each may come. */
  needs?: (row: R) => string | readonly string[]
  /** What its cell has beside this text, such as the frame of a badge, in px. */
  beside?: number
  /** Text that is never cut, such as a key: the column is as wide as the longest on the page. Its cell can wrap. */
  whole?: (row: R) => string
  /** Never narrower than its width, for what is equally wide in each row and language, such as a fingerprint. */
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
const besideText = 68

const padding = 24

/** What a column needs of the width of its table. `widthOf` measures a text. */
export function columnSpace<R>(column: Column<R>, rows: readonly R[], widthOf: (text: string) => number): ColumnSpace {
  const { id, width = 140, whole, needs, beside = 0, firm, yields } = column
  const longest = whole ? rows.reduce((length, row) => Math.max(length, whole(row).length), 0) : 0
  const wholeWidth =
    longest === 0 ? (firm ? width : 0) : Math.min(longest, maxWholeLength) * characterWidth + besideText
  if (!needs || rows.length === 0) return { id, width, wholeWidth, yields }
  const inCells = Math.max(...longestOf(rows.flatMap(needs)).map(widthOf)) + beside
  const inHeader = widthOf(column.header) + (column.sortable ? arrow : 0)
  return { id, width, wholeWidth, yields, least: Math.ceil(Math.max(inCells, inHeader) + padding) }
}

/** Of a sorted column. The letters of headers are smaller than those of cells, which leaves a bit of space. */
const arrow = 12

/** Those that may be the widest: to measure is slower than to count. */
function longestOf(texts: readonly string[]): readonly string[] {
  const length = Math.max(...texts.map((text) => text.length))
  return [...new Set(texts.filter((text) => text.length >= length - 2))]
}
