import { cut, printable, widthOf } from './printable.ts'

export interface Column<T> {
  title: string
  value: (row: T) => string
  /** Never cut, such as a key that somebody copies. */
  isWhole?: boolean
}

const gap = 2
const minWidth = 6

/** Lines of a table that fit into `width` columns, unless what is never cut is wider. */
export function tableLines<T>(columns: readonly Column<T>[], rows: readonly T[], width = Infinity): string[] {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map((each) => printable(each.value(row)))),
  ]
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => widthOf(line[at] ?? ''))))
  const total = () => widths.reduce((sum, each) => sum + each + gap, -gap)
  while (total() > width) {
    const widest = columns
      .map(({ isWhole }, at) => ({ at, size: isWhole ? 0 : (widths[at] ?? 0) }))
      .reduce((one, other) => (other.size > one.size ? other : one))
    if (widest.size <= minWidth) break
    widths[widest.at] = widest.size - 1
  }
  return cells.map((line) =>
    line
      .map((cell, at) => {
        const size = widths[at] ?? 0
        const text = cut(cell, size)
        return text + ' '.repeat(size - widthOf(text))
      })
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

/** `Name  value` lines of one object. */
export function fieldLines(fields: readonly (readonly [name: string, value: string])[]): string[] {
  const lines = fields.map(([name, value]) => [printable(name), printable(value)] as const)
  const width = Math.max(...lines.map(([name]) => widthOf(name)))
  return lines.map(([name, value]) => `${name}${' '.repeat(width - widthOf(name))}  ${value}`.trimEnd())
}

export function timeText(seconds: number | null): string {
  return seconds === null ? '' : `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** A number of seconds in its largest whole unit. */
export function durationText(seconds: number): string {
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const) {
    const amount = Math.floor(seconds / size)
    if (amount >= 1) return `${amount} ${unit}${amount === 1 ? '' : 's'}`
  }
  return `${seconds} seconds`
}
