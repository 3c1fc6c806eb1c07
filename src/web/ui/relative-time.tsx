import { useEffect } from 'react'
import { relativeText } from '../relative-text.ts'
import { createStore, useStore } from '../store.ts'
import { Tooltip } from './tooltip.tsx'

/** One clock for all times on the page; it ticks each minute while somebody looks. */
const minuteStore = createStore(Date.now())
let watchers = 0
let timer: ReturnType<typeof setInterval> | undefined

function useMinute(): number {
  useEffect(() => {
    watchers += 1
    timer ??= setInterval(() => minuteStore.set(Date.now()), 60_000)
    return () => {
      watchers -= 1
      if (watchers > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [])
  return useStore(minuteStore)
}

export interface RelativeTimeProps {
  /** Epoch seconds, as every time of the API. */
  at: number
  className?: string
}

export function RelativeTime({ at, className = '' }: RelativeTimeProps) {
  const now = Math.max(useMinute(), Date.now()) / 1000
  const date = new Date(at * 1000)
  const lang = document.documentElement.lang || 'en'
  return (
    <Tooltip text={<FullTime date={date} lang={lang} />}>
      <time dateTime={date.toISOString()} className={`whitespace-nowrap ${className}`}>
        {relativeText(at, now, lang)}
      </time>
    </Tooltip>
  )
}

/** Written out only when the tooltip opens: making the two formats is what costs. */
function FullTime({ date, lang }: { date: Date; lang: string }) {
  const style = { dateStyle: 'medium', timeStyle: 'medium' } as const
  return (
    <>
      {new Intl.DateTimeFormat(lang, style).format(date)}
      <br />
      {new Intl.DateTimeFormat(lang, { ...style, timeZone: 'UTC' }).format(date)} UTC
    </>
  )
}
