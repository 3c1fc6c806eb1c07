import type { ReactNode } from 'react'
import { unitSeconds } from '#contract/duration.ts'
import { useTicking } from '../time/clock.ts'
import { timeAgoText, type TimeText } from '../time/time-text.ts'
import { useTimeZone } from '../browser/time-zone.ts'

interface TimeAgoProps {
  /** Epoch seconds, like every time of the API. */
  at: number
  className?: string
}

/** When something happened: `3 days ago · Nov 18`. */
export function TimeAgo({ at, className }: TimeAgoProps) {
  const timeZone = useTimeZone()
  return <TickingTime at={at} read={(now) => timeAgoText(at, { now, timeZone })} className={className} />
}

interface TickingTimeProps extends TimeAgoProps {
  read: (now: number) => TimeText
  /** Where space is short, truncates the relative time instead of omitting the date. */
  keepsDate?: boolean
}

/**
 * A relative time that stays up to date. The date is omitted if there is not enough space, and on phones if the time is
 * less than a day away.
 */
export function TickingTime({ at, read, className, keepsDate = false }: TickingTimeProps) {
  const [relative = '', absolute, isNear] = useTicking((now) => {
    const text = read(now)
    return `${text.relative}\n${text.absolute}\n${Math.abs(at - now) < unitSeconds.days ? 'near' : ''}`
  }).split('\n')
  return (
    <Moment at={at} className={`h-[1lh] min-w-0 overflow-hidden ${keepsDate ? '' : 'flex-wrap'} ${className ?? ''}`}>
      {relative !== '' && <span className="max-w-full truncate">{relative}</span>}
      <span className={`shrink-0 whitespace-nowrap ${relative !== '' && isNear ? 'in-data-facts:hidden' : ''}`}>
        {relative === '' ? absolute : `\u00A0· ${absolute}`}
      </span>
    </Moment>
  )
}

/** A text about a time; the tooltip of times shows it in full. */
export function Moment({ at, className = '', children }: TimeAgoProps & { children: ReactNode }) {
  return (
    <time dateTime={new Date(at * 1000).toISOString()} className={`inline-flex max-w-full align-top ${className}`}>
      {children}
    </time>
  )
}
