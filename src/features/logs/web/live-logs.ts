import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ListRequest } from '#web/list/list-request.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { App } from '#web/session/session.ts'
import { type Log, type LogPage, logList } from './logs-data.ts'

export interface LiveLogs {
  state: 'off' | 'connecting' | 'live' | 'reconnecting' | 'taken'
  /** When the connection was lost, epoch seconds. */
  since: number
  /** Number of rows received while the list was paused. */
  waiting: number
  /** Shows the waiting rows. */
  show: () => void
}

interface LiveOptions {
  app: App
  isOn: boolean
  /** The user is reading, pointing or selecting, so the rows must not move. */
  isPaused: boolean
  request: ListRequest
}

/** Rows received while the list was paused. */
interface Waiting {
  count: number
  /** The newest of them, oldest first. */
  rows: readonly Log[]
}

const noneWaiting: Waiting = { count: 0, rows: [] }
/** No page has more. */
const maxKept = 100

const retryMs = 3000
/** As often as lists without a stream are loaded. */
export const pollSeconds = 30

/**
 * Follows the log by server-sent events and adds new rows at the top of the first page. The browser reconnects
 * automatically; if the server rejects the stream, it is reopened after a few seconds. While others use all streams of
 * the account, the list is loaded again from time to time, unless somebody reads it. A hidden tab has no stream, because
 * a browser opens only a few connections to one server.
 */
export function useLiveLogs({ app, isOn, isPaused: isInUse, request }: LiveOptions): LiveLogs {
  const isScrolled = useSyncExternalStore(onScroll, isScrolledDown)
  const isPaused = isInUse || isScrolled
  const isVisible = useSyncExternalStore(onVisibility, isTabVisible)
  const [state, setState] = useState<LiveLogs['state']>('off')
  const [since, setSince] = useState(0)
  const [waiting, setWaiting] = useState(noneWaiting)
  const filter = logList.filter(request)
  const address = useMemo(() => {
    const query = Object.entries({ appId: app.appId, ...filter }).filter(([, value]) => value !== undefined)
    return `/api/1.0/website/logs/live?${new URLSearchParams(query as [string, string][])}`
    // oxlint-disable-next-line react/exhaustive-deps -- the filter is a new object on each render
  }, [app.appId, JSON.stringify(filter)])
  const current = useRef({ isPaused, request })
  current.current = { isPaused, request }
  const hasMissed = useRef(false)

  useEffect(() => {
    setWaiting(noneWaiting)
    if (!isOn) return setState('off')
    if (!isVisible) return void (hasMissed.current = true)
    setState('connecting')
    let source: EventSource
    let timer: ReturnType<typeof setTimeout>
    let hasDropped = hasMissed.current
    hasMissed.current = false
    let isOver = false
    const retry = async () => {
      const isTaken = await areStreamsTaken(address)
      if (isOver) return
      setState(isTaken ? 'taken' : 'reconnecting')
      if (isTaken && !current.current.isPaused) void logList.refresh()
      timer = setTimeout(open, isTaken ? pollSeconds * 1000 : retryMs)
    }
    const open = () => {
      source = new EventSource(address)
      source.addEventListener('open', () => {
        setState('live')
        // Loads rows missed while disconnected or hidden.
        if (hasDropped) void logList.refresh()
        hasDropped = false
      })
      source.addEventListener('error', () => {
        if (!hasDropped) setSince(Math.floor(Date.now() / 1000))
        hasDropped = true
        if (source.readyState === EventSource.CLOSED) void retry()
        else setState('reconnecting')
      })
      source.addEventListener('gap', () => void logList.refresh())
      source.addEventListener('logs', (event) => {
        const { logs } = JSON.parse((event as MessageEvent<string>).data) as { logs: Log[] }
        if (logs.length === 0) return
        const { isPaused, request } = current.current
        if (isPaused || request.page !== 1) setWaiting((before) => withRows(before, logs))
        else void addOnTop(request, logs)
      })
    }
    open()
    return () => {
      isOver = true
      clearTimeout(timer)
      source.close()
    }
  }, [address, isOn, isVisible])

  const canShow = isOn && !isPaused && request.page === 1 && waiting.count > 0
  useEffect(() => {
    if (!canShow) return
    if (waiting.count > waiting.rows.length) void logList.refresh()
    else void addOnTop(current.current.request, waiting.rows)
    setWaiting(noneWaiting)
  }, [canShow, waiting])
  const show = () => {
    setWaiting(noneWaiting)
    void logList.refresh()
  }
  return { state, since, waiting: waiting.count, show }
}

/** However long the list is paused, its rows take no more memory. */
const withRows = ({ count, rows }: Waiting, more: readonly Log[]): Waiting => ({
  count: count + more.length,
  rows: [...rows, ...more].slice(-maxKept),
})

/** An `EventSource` doesn't tell the status of a rejected stream. */
async function areStreamsTaken(address: string): Promise<boolean> {
  const request = new AbortController()
  try {
    return (await fetch(address, { signal: request.signal })).status === 429
  } catch {
    return false
  } finally {
    request.abort()
  }
}

function onScroll(listener: () => void) {
  addEventListener('scroll', listener, { passive: true })
  return () => removeEventListener('scroll', listener)
}

const isScrolledDown = () => scrollY > 80

function onVisibility(listener: () => void) {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

const isTabVisible = () => document.visibilityState === 'visible'

/** `logs` is oldest first, as received; rows already in the list are not added twice. */
async function addOnTop(request: ListRequest, logs: readonly Log[]): Promise<void> {
  // Whether these are other customers, only the server knows.
  if (request.filters['customers'] !== undefined) return logList.refresh()
  const { queryKey } = logList.query(request)
  const query = queryClient.getQueryCache().find({ queryKey, exact: true })
  // A reply that is on its way may be older than these rows, and replaces the list. This waits for it, and asks nothing.
  while (query?.state.fetchStatus === 'fetching') await query.fetch().catch(() => undefined)
  queryClient.setQueryData<LogPage>(queryKey, (page) => {
    if (!page) return page
    const present = new Set(page.logs.map(({ id }) => id))
    const added = logs.filter(({ id }) => !present.has(id)).toReversed()
    const rows = [...added, ...page.logs].slice(0, request.limit)
    const [total, all] = [page.total + added.length, page.all + added.length]
    const newestId = Math.max(page.newestId ?? 0, ...added.map(({ id }) => id))
    return { ...page, logs: rows, total, all, newestId }
  })
}
