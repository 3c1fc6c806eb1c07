import { dayAfter, startOfDay } from '#web/time/time-range.ts'
import { dayStamp } from '#web/time/time-text.ts'

/** The bars of the histogram: minutes and hours of a short period, and whole days of a longer one. */

const minute = 60
const hour = 60 * minute

const sizes = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
]

/** A few less than the call takes: the first and the last bar reach beyond the period, and some days have 25 hours. */
export const mostBars = 96
/** Wide enough for a finger. */
export const mostBarsOnPhones = 48

export interface LogPeriod {
  /** Epoch seconds; `until` is exclusive. */
  from: number
  until: number
}

interface BucketOptions {
  timeZone: string
  /** At most about as many bars. */
  most: number
}

/** Where the bars begin and end: whole minutes, and so that each day of the zone begins with a bar. */
export function bucketEdges({ from, until }: LogPeriod, { timeZone, most }: BucketOptions): number[] {
  const stamps = [dayStamp(from, timeZone)]
  const last = dayStamp(until - 1, timeZone)
  for (let stamp = stamps[0] ?? last; stamp < last;) stamps.push((stamp = dayAfter(stamp)))
  const seconds = sizes.find((size) => until - from <= most * size)
  const days = seconds === undefined ? Math.ceil(stamps.length / most) : 1
  const starts = [...stamps.filter((_, at) => at % days === 0), dayAfter(last)].map((stamp) =>
    startOfDay(stamp, timeZone),
  )
  if (seconds === undefined) return starts
  const edges = starts.flatMap((start, at) => {
    const end = starts[at + 1]
    // Where the clocks change, the remainder of the day is part of its last bar.
    const count = end === undefined ? 1 : Math.max(1, Math.round((end - start) / seconds))
    return Array.from({ length: count }, (_, bar) => start + bar * seconds)
  })
  return edges.filter((_, at) => (edges[at + 1] ?? until) > from && (edges[at - 1] ?? from) < until)
}

/** Whether bars are parts of a day. */
export const arePartsOfDays = (buckets: readonly { from: number; to: number }[]): boolean =>
  buckets.some(({ from, to }) => to - from < 18 * hour)
