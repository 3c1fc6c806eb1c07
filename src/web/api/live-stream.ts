import { type LiveSubject, liveSubjects } from '#contract/live.ts'
import { lostAtStore } from './connection.ts'
import { signInPrompt } from './session-end.ts'

const pollMs = 30_000
const firstPauseMs = 2000
const maxPauseMs = 60_000
const checkMs = 10_000
/** The server sends an event at least every 15 seconds. */
export const silentMs = 45_000

/** Lists that have changed, perhaps none. */
export interface LiveNews {
  subjects: readonly LiveSubject[]
  /** Where a stream continues; undefined while there is none. */
  id: string | undefined
}

export interface LiveStream {
  /** The ID of the last event; undefined while nothing arrives. */
  openId: () => string | undefined
  close: () => void
}

interface LiveStreamOptions {
  appId: string
  /** The last event received, by this tab or another one. */
  lastEventId?: string | undefined
  /** Changes may have been missed that no event tells. */
  isBehind: boolean
  onNews: (news: LiveNews) => void
}

/**
 * Tells which lists of an app have changed: from the server's stream, or all of them every 30 seconds while there is no
 * stream. A connection that has gone silent, as after the computer slept, is replaced.
 */
export function openLiveStream({ appId, onNews, ...start }: LiveStreamOptions): LiveStream {
  let { lastEventId, isBehind } = start
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let poll: ReturnType<typeof setInterval> | undefined
  let failures = 0
  let heardAt = Date.now()

  const onFailed = () => {
    failures += 1
    isBehind ||= lastEventId === undefined
    poll ??= setInterval(() => onNews({ subjects: liveSubjects, id: undefined }), pollMs)
    // The browser reconnects by itself and continues after the last event; it is left one try.
    if (failures === 1 && source?.readyState === EventSource.CONNECTING) return
    source?.close()
    source = undefined
    clearTimeout(retry)
    retry = setTimeout(open, Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs))
  }
  const open = () => {
    clearTimeout(retry)
    retry = undefined
    heardAt = Date.now()
    const query = new URLSearchParams({ appId, ...(lastEventId !== undefined && { lastEventId }) })
    source = new EventSource(`/api/1.0/website/live?${query}`)
    source.addEventListener('error', onFailed)
    source.addEventListener('changed', ({ data, lastEventId: id }: MessageEvent<string>) => {
      failures = 0
      heardAt = Date.now()
      lastEventId = id
      clearInterval(poll)
      poll = undefined
      const { subjects } = JSON.parse(data) as { subjects: LiveSubject[] }
      const told = isBehind ? liveSubjects : subjects
      isBehind = false
      onNews({ subjects: told, id })
    })
  }
  const check = setInterval(() => {
    if (source === undefined || Date.now() - heardAt < silentMs) return
    source.close()
    onFailed()
  }, checkMs)
  // The server is back, or somebody has signed in again: no need to wait for the next try.
  const openEarly = () => {
    if (retry !== undefined && lostAtStore.get() === undefined && signInPrompt.question.get() === undefined) open()
  }
  const unsubscribe = [lostAtStore.subscribe(openEarly), signInPrompt.question.subscribe(openEarly)]
  open()
  return {
    openId: () => (poll === undefined ? lastEventId : undefined),
    close: () => {
      for (const stop of unsubscribe) stop()
      clearTimeout(retry)
      clearInterval(poll)
      clearInterval(check)
      source?.close()
    },
  }
}
