import type { ReactNode } from 'react'
import { unitSeconds } from '#contract/duration.ts'
import { useTicking } from '../time/clock.ts'
import { TickingTime } from './time-ago.tsx'
import { endText, lengthLeftText } from '../time/time-text.ts'
import { useTimeZone } from '../browser/time-zone.ts'

interface TimeLeftProps {
  /** End time in epoch seconds. */
  until: number
  /** Duration of a full bar in seconds; the bar appears when little is left of it. Without it, there is no bar. */
  full?: number
}

/** `30 days left · Dec 21`, with a bar once little is left; after the end, when it ended. */
export function TimeLeft({ until, full }: TimeLeftProps) {
  const timeZone = useTimeZone()
  const isOver = useTicking((now) => until <= now)
  const read = (now: number) => endText(until, { now, timeZone })
  const isShort = useTicking((now) => full !== undefined && isLittle(until - now, full))
  // Of the last two days the hour is known from the time left.
  const keepsDate = useTicking((now) => until - now >= 2 * unitSeconds.days)
  const text = (
    <TickingTime at={until} read={read} keepsDate={keepsDate} className={isOver ? 'text-text-3' : 'text-text-2'} />
  )
  if (isOver || full === undefined || !isShort) return text
  return (
    <WithBar>
      {text}
      <RunningBar until={until} full={full} />
    </WithBar>
  )
}

/** Remaining time while paused: it stays the same and has no end date. */
export function StoppedTime({ seconds, full }: { seconds: number; full: number }) {
  const text = <span className="truncate text-text-2">{lengthLeftText(seconds)}</span>
  if (!isLittle(seconds, full)) return text
  return (
    <WithBar>
      {text}
      <Bar left={seconds} full={full} />
    </WithBar>
  )
}

/** Spacing above the text equal to the bar below it, to keep the text aligned with its neighbors. */
const WithBar = ({ children }: { children: ReactNode }) => (
  <span className="inline-flex max-w-full flex-col gap-0.5 pt-[5px] align-middle in-data-facts:pt-0">{children}</span>
)

function RunningBar({ until, full }: { until: number; full: number }) {
  const minutes = useTicking((now) => Math.ceil((until - now) / unitSeconds.minutes))
  return <Bar left={minutes * unitSeconds.minutes} full={full} />
}

/** A week, below which a license counts as expiring, or a tenth of the whole. */
const isLittle = (left: number, full: number) => left <= unitSeconds.weeks || left * 10 <= full

/** Decorative: the text above it says the same. */
function Bar({ left, full }: { left: number; full: number }) {
  const percent = Math.min(Math.max((left / full) * 100, 2), 100)
  return (
    <span
      aria-hidden="true"
      className="time-bar block h-[3px] w-28 max-w-full overflow-hidden rounded-full bg-surface-3 in-data-facts:hidden"
    >
      <span className="keep-color block h-full rounded-full bg-warn" style={{ width: `${percent}%` }} />
    </span>
  )
}
