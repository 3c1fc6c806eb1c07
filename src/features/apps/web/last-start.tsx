import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { announce } from '#web/announce.ts'
import { relativeText } from '#web/relative-text.ts'
import { appsQuery } from '#web/session.ts'
import { LiveDot } from '#web/ui/live-dot.tsx'

const askEveryMs = 10_000

function useNowSeconds(): number {
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Whether a program has met the server, kept fresh while somebody looks. `at` in epoch seconds. */
export function LastStart({ at }: { at: number | null }) {
  // The query stops by itself while the tab is in the background.
  useQuery({ ...appsQuery, refetchInterval: askEveryMs })
  const now = useNowSeconds()
  const before = useRef(at)
  useEffect(() => {
    if (before.current === null && at !== null) announce(t`The first program has started`)
    before.current = at
  }, [at])

  const seconds = at === null ? 0 : Math.max(Math.floor(now - at), 0)
  const when = at === null ? '' : relativeText(at, now, document.documentElement.lang || 'en')
  const text =
    at === null
      ? t`Waiting for the first program…`
      : seconds < 60
        ? t`Last program started ${seconds} s ago`
        : t`Last program started ${when}`
  return (
    <div className="flex items-center gap-3 border-t border-line px-4 py-3 text-ui text-text-2">
      <LiveDot on={at !== null} />
      <span>{text}</span>
    </div>
  )
}
