import type { ReactNode } from 'react'
import { Tooltip } from '../ui/tooltip.tsx'
import { useTicking } from './clock.ts'
import { bothTexts, preciseTimeText, timeAgoText } from './time-text.ts'
import { useTimeZone } from './time-zone.ts'

interface TimeAgoProps {
  /** Epoch seconds, as every time of the API. */
  at: number
  /** `3 days ago · Nov 18` instead of `3 days ago`, where there is room for it. */
  withDate?: boolean
  className?: string
}

/** When something happened; it stays true while the page stands open. */
export function TimeAgo({ at, withDate = false, className = '' }: TimeAgoProps) {
  const timeZone = useTimeZone()
  const text = useTicking((now) => {
    const texts = timeAgoText(at, { now, timeZone })
    return withDate ? bothTexts(texts) : texts.relative || texts.absolute
  })
  return (
    <Moment at={at} className={className}>
      {text}
    </Moment>
  )
}

/** A text about a moment; its tooltip says the moment to the second, and in which zone. */
export function Moment({ at, className = '', children }: { at: number; className?: string; children: ReactNode }) {
  return (
    <Tooltip text={<FullTime at={at} />} className="max-w-full">
      <time dateTime={new Date(at * 1000).toISOString()} className={`truncate ${className}`}>
        {children}
      </time>
    </Tooltip>
  )
}

function FullTime({ at }: { at: number }) {
  const timeZone = useTimeZone()
  return (
    <>
      {preciseTimeText(at, timeZone)} {timeZone.replaceAll('_', ' ')}
      {timeZone !== 'UTC' && (
        <>
          <br />
          {preciseTimeText(at, 'UTC')} UTC
        </>
      )}
    </>
  )
}
