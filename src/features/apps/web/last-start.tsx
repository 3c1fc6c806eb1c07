import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { announce } from '#web/browser/announce.ts'
import { appsQuery } from '#web/session/session.ts'
import { useTicking } from '#web/time/clock.ts'
import { timeAgoText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { LiveDot } from '#web/ui/live-dot.tsx'

const refetchMs = 10_000

/** Time of the last program start, in epoch seconds, refreshed while visible. */
export function LastStart({ at }: { at: number | null }) {
  // The query pauses while the tab is in the background.
  useQuery({ ...appsQuery, refetchInterval: refetchMs })
  const timeZone = useTimeZone()
  const before = useRef(at)
  useEffect(() => {
    if (before.current === null && at !== null) announce(t`The first program has started`)
    before.current = at
  }, [at])

  const text = useTicking((now) => {
    if (at === null) return t`Waiting for the first program…`
    const seconds = Math.max(now - at, 0)
    if (seconds < 60) return t`Last program start: ${seconds} s ago`
    const when = timeAgoText(at, { now, timeZone }).relative
    return t`Last program start: ${when}`
  })
  return (
    <div className="flex items-center gap-3 border-t border-line px-4 py-3 text-ui text-text-2">
      <LiveDot on={at !== null} />
      <span>{text}</span>
    </div>
  )
}
