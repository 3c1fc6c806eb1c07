import { labeledPoints } from './chart-scale.ts'
import { minuteOfDay, type TimeSpan } from './span-text.ts'

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440]

/** Indexes of at most `atMost` points with a label. For parts of days, these begin at round times of the zone. */
export function tickedPoints(
  points: readonly TimeSpan[],
  { atMost, isHourly, timeZone }: { atMost: number; isHourly: boolean; timeZone: string },
): number[] {
  if (!isHourly) return labeledPoints(points.length, atMost)
  const minutes = points.map(({ from }) => minuteOfDay(from, timeZone))
  for (const step of steps) {
    const found = minutes.flatMap((minute, index) => (minute % step === 0 ? [index] : []))
    if (found.length > 0 && found.length <= atMost) return found
  }
  const days = minutes.flatMap((minute, index) => (minute === 0 ? [index] : []))
  if (days.length === 0) return labeledPoints(points.length, atMost)
  return labeledPoints(days.length, atMost).map((index) => days[index] ?? 0)
}
