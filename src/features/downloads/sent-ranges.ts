/** A range of bytes, both ends inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** Maximum time between two requests for parts of a file, in seconds. */
export const progressSeconds = 86_400

/** Downloads with more separate ranges at a time are not counted. */
const maxRanges = 50

/** Parses `0-99,200-299`; empty for an empty text. */
export const readRanges = (text: string): ByteRange[] =>
  text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [start = 0, end = 0] = part.split('-').map(Number)
      return { start, end }
    })

export const writeRanges = (ranges: readonly ByteRange[]): string =>
  ranges.map(({ start, end }) => `${start}-${end}`).join(',')

/** The ranges with `added`, sorted and merged. */
export function addRange(ranges: readonly ByteRange[], added: ByteRange): ByteRange[] {
  const merged: ByteRange[] = []
  for (const range of [...ranges, added].toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last && range.start <= last.end + 1) last.end = Math.max(last.end, range.end)
    else merged.push({ ...range })
  }
  return merged.slice(0, maxRanges)
}

export const coversFile = ([first]: readonly ByteRange[], bytes: number): boolean =>
  first !== undefined && first.start === 0 && first.end >= bytes - 1
