/** Bytes from the first to the last, both included. */
export interface ByteRange {
  start: number
  end: number
}

/** In how long an address must get all of a file, from one request for it to the next. */
export const progressSeconds = 86_400

/** A program that fetches more separate parts at once isn't counted. */
const maxRanges = 50

/** Of `0-99,200-299`; of an empty text none. */
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

/** In order and apart from each other, whatever they were before. */
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
