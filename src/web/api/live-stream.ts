import { type LiveSubject, liveSubjects } from '#contract/live.ts'
import { lostAtStore } from './connection.ts'

const pollMs = 30_000
const firstPauseMs = 2000
const maxPauseMs = 60_000

/**
 * Tells which lists of an app have changed: from the server's stream while the tab is visible, or all of them every 30
 * seconds while there is no stream. Returns a function that ends it.
 */
export function followChanges(appId: string, tell: (subjects: readonly LiveSubject[]) => void): () => void {
  const address = `/api/1.0/website/live?${new URLSearchParams({ appId })}`
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let poll: ReturnType<typeof setInterval> | undefined
  let failures = 0
  /** Changes may have been missed, which a new stream does not tell. */
  let isBehind = false

  const onFailed = () => {
    failures += 1
    poll ??= setInterval(() => tell(liveSubjects), pollMs)
    // The browser reconnects by itself and continues after the last event; it is left one try.
    if (failures === 1 && source?.readyState === EventSource.CONNECTING) return
    source?.close()
    source = undefined
    isBehind = true
    retry = setTimeout(open, Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs))
  }
  const open = () => {
    clearTimeout(retry)
    retry = undefined
    source = new EventSource(address)
    source.addEventListener('error', onFailed)
    source.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      failures = 0
      clearInterval(poll)
      poll = undefined
      const { subjects } = JSON.parse(data) as { subjects: LiveSubject[] }
      const told = isBehind ? liveSubjects : subjects
      isBehind = false
      if (told.length > 0) tell(told)
    })
  }
  const close = () => {
    clearTimeout(retry)
    clearInterval(poll)
    retry = poll = undefined
    source?.close()
    source = undefined
  }
  const onVisibility = () => {
    close()
    if (document.visibilityState === 'hidden') return
    failures = 0
    isBehind = true
    open()
  }
  // The server is back: no need to wait for the next try.
  const onServer = () => {
    if (lostAtStore.get() === undefined && retry !== undefined) open()
  }
  const stopWatching = lostAtStore.subscribe(onServer)
  document.addEventListener('visibilitychange', onVisibility)
  if (document.visibilityState === 'visible') open()
  return () => {
    stopWatching()
    document.removeEventListener('visibilitychange', onVisibility)
    close()
  }
}
