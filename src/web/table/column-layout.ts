/** Columns shrink down to this share of their width; below it, the table scrolls. */
const narrowest = 0.8

interface TableWidths {
  /** Widths of all columns, as declared. */
  columns: number
  /** Fixed width of checkbox, expander and menu. */
  fixed: number
  /** Width of the table's container; infinite before it is measured. */
  frame: number
}

/** Distributes the available width over the columns in proportion to their widths. */
export function columnLayout({ columns, fixed, frame }: TableWidths) {
  const leastWidth = columns * narrowest + fixed
  const overflows = frame < leastWidth
  return {
    leastWidth,
    /** Whether the table scrolls horizontally. */
    overflows,
    /** Factor for the column widths. */
    stretch: overflows ? narrowest : frame === Infinity ? 1 : (frame - fixed) / columns,
  }
}
