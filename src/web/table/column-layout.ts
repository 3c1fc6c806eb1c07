/** Columns shrink down to this share of their width; then some are left out, and at last the table scrolls. */
const narrowest = 0.8
/** Whole texts take at most this share of the table, and wrap. */
const widestWhole = 0.4

export interface ColumnSpace {
  id: string
  /** As declared, in px. */
  width: number
  /** What its texts need that are never cut; 0 if there are none. */
  wholeWidth: number
  /** What it needs at least, where its texts were measured; otherwise it shrinks in proportion to its width. */
  least?: number
  /** Left out where space is short, 1 first; never without it. */
  yields: number | undefined
}

export interface ColumnLayout {
  /** In px by the IDs of the columns that are shown. */
  widths: ReadonlyMap<string, number>
  leftOut: readonly string[]
  leastWidth: number
  /** Whether the table scrolls horizontally. */
  overflows: boolean
}

interface Frame {
  /** Fixed width of checkbox, expander and menu. */
  fixed: number
  /** Width of the table's container; infinite before it is measured. */
  frame: number
}

/** Distributes the available width over the columns in proportion to their widths. */
export function columnLayout(all: readonly ColumnSpace[], { fixed, frame }: Frame): ColumnLayout {
  const widest = frame * widestWhole
  const columns = all.map(({ least, ...column }) => ({
    ...column,
    wholeWidth: Math.min(column.wholeWidth, widest),
    ...(least !== undefined && { least: Math.min(least, widest) }),
  }))
  const leastOf = (shown: readonly ColumnSpace[]) => sumOf(shown, leastWidthOf) + fixed
  let shown = columns
  for (const { id } of inYieldingOrder(columns)) {
    if (leastOf(shown) <= frame) break
    shown = shown.filter((each) => each.id !== id)
  }
  const leastWidth = leastOf(shown)
  const overflows = frame < leastWidth
  return {
    widths: overflows
      ? new Map(shown.map((column) => [column.id, leastWidthOf(column)]))
      : stretched(shown, frame === Infinity ? sumOf(shown, fullWidthOf) : frame - fixed),
    leftOut: columns.filter((column) => !shown.includes(column)).map(({ id }) => id),
    leastWidth,
    overflows,
  }
}

const leastWidthOf = ({ width, wholeWidth, least }: ColumnSpace) => least ?? Math.max(width * narrowest, wholeWidth)
const fullWidthOf = ({ width, wholeWidth, least = 0 }: ColumnSpace) => Math.max(width, wholeWidth, least)
const sumOf = (columns: readonly ColumnSpace[], of: (column: ColumnSpace) => number) =>
  columns.reduce((sum, column) => sum + of(column), 0)
const inYieldingOrder = (columns: readonly ColumnSpace[]) =>
  columns.filter(({ yields }) => yields !== undefined).toSorted((a, b) => (a.yields ?? 0) - (b.yields ?? 0))

/** A column whose share is less than it needs gets that instead, and the others share the rest. */
function stretched(columns: readonly ColumnSpace[], available: number): ReadonlyMap<string, number> {
  const widths = new Map<string, number>()
  for (let sharing = columns; ;) {
    const rest = available - [...widths.values()].reduce((sum, width) => sum + width, 0)
    const factor = rest / sumOf(sharing, ({ width }) => width)
    const tooNarrow = sharing.filter((column) => column.width * factor < leastWidthOf(column))
    for (const column of tooNarrow) widths.set(column.id, leastWidthOf(column))
    if (tooNarrow.length === 0) {
      for (const { id, width } of sharing) widths.set(id, width * factor)
      return widths
    }
    sharing = sharing.filter((column) => !tooNarrow.includes(column))
  }
}
