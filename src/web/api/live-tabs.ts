import { type LiveSubject, liveSubjects } from '#contract/live.ts'
import { type LiveNews, type LiveStream, openLiveStream, silentMs } from './live-stream.ts'

const checkMs = 10_000
const pollMs = 30_000

type Tell = (subjects: readonly LiveSubject[]) => void

interface Followed {
  accountId: string
  appId: string
}

/**
 * Tells which lists of an app have changed while the tab is visible. The visible tabs of an account share one stream.
 * Returns a function that ends it.
 */
export function followChanges(followed: Followed, tell: Tell): () => void {
  let leave: (() => void) | undefined
  let wasHidden = document.visibilityState === 'hidden'
  const onVisibility = () => {
    leave?.()
    leave = undefined
    if (document.visibilityState === 'hidden') wasHidden = true
    else leave = joinTabs(followed, { isBehind: wasHidden, tell })
  }
  document.addEventListener('visibilitychange', onVisibility)
  onVisibility()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    leave?.()
  }
}

/** The server, or the tab with the stream, may be of a later version. */
const isKnown = (subject: string): boolean => (liveSubjects as readonly string[]).includes(subject)

/** Sent by a tab that has joined; answered with the ID of the last event. */
const hello = 'hello'

/** Missing on pages that are loaded over plain HTTP from another machine. */
const locksOf = ({ locks }: { locks?: LockManager }) => (typeof BroadcastChannel === 'undefined' ? undefined : locks)

/** The tab that holds the lock has the stream and repeats its events to the others; another tab takes over after it. */
function joinTabs({ accountId, appId }: Followed, start: { isBehind: boolean; tell: Tell }): () => void {
  const { tell } = start
  let { isBehind } = start
  const receive = ({ subjects }: LiveNews) => {
    const told = isBehind ? liveSubjects : subjects.filter(isKnown)
    isBehind = false
    if (told.length > 0) tell(told)
  }
  const locks = locksOf(navigator)
  if (!locks) return openLiveStream({ appId, isBehind, onNews: receive }).close

  const name = `signet.live.${accountId}.${appId}`
  const channel = new BroadcastChannel(name)
  const waiting = new AbortController()
  let stream: LiveStream | undefined
  let release: (() => void) | undefined
  let isOver = false
  let lastEventId: string | undefined
  let heardAt = Date.now()

  const lead = () => {
    if (isOver) return
    const onNews = (news: LiveNews) => {
      receive(news)
      channel.postMessage(news)
    }
    stream = openLiveStream({ appId, lastEventId, isBehind, onNews })
    return new Promise<void>((resolve) => (release = resolve))
  }
  const takeOver = () => {
    // The tab before may have missed changes.
    isBehind ||= lastEventId === undefined
    return lead()
  }
  const compete = async () => {
    const isFirst = await locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock === null) return false
      await lead()
      return true
    })
    if (isFirst || isOver) return
    channel.postMessage(hello)
    await locks.request(name, { signal: waiting.signal }, takeOver)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<LiveNews | typeof hello>) => {
    if (data !== hello) {
      heardAt = Date.now()
      lastEventId = data.id ?? lastEventId
      receive(data)
      return
    }
    const id = stream?.openId()
    if (id !== undefined) channel.postMessage({ subjects: [], id } satisfies LiveNews)
  })
  // The tab with the stream may hang, and this one may have slept.
  const check = setInterval(() => {
    if (stream !== undefined || Date.now() - heardAt < silentMs) return
    heardAt = Date.now() - silentMs + pollMs
    tell(liveSubjects)
  }, checkMs)
  // Without permission to use locks, each tab has its own stream.
  compete().catch(() => void (stream ?? takeOver()))
  return () => {
    isOver = true
    clearInterval(check)
    stream?.close()
    release?.()
    waiting.abort()
    channel.close()
  }
}
