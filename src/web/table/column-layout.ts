/** Columns give way down to this share of their width; then the table scrolls. */
const narrowest = 0.8

interface TableWidths {
  /** Of all columns, as they are declared. */
  columns: number
  /** Of checkbox, expander and menu, which stay as they are. */
  fixed: number
  /** Of what the table stands in; infinite before it is measured. */
  frame: number
}

/** How the columns share the room by their widths. */
export function columnLayout({ columns, fixed, frame }: TableWidths) {
  const leastWidth = columns * narrowest + fixed
  const overflows = frame < leastWidth
  return {
    leastWidth,
    /** The table scrolls sideways. */
    overflows,
    /** What a column's width is multiplied by. */
    stretch: overflows ? narrowest : frame === Infinity ? 1 : (frame - fixed) / columns,
  }
}
