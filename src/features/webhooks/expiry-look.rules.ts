/** Which ends of users' time a look announces. All times in epoch seconds. */

/** Ends that are older are not announced, such as after a long downtime. */
export const maxAgeSeconds = 7 * 86_400

export interface ExpiryLook {
  /** The look covers ends after `since`, up to and including `until`. */
  since: number
  until: number
  isDone: boolean
  /** The last app that is done; empty before the first one. */
  afterApp: string
  /** How far the users of the next app are announced. */
  progress: ExpiryProgress | null
}

export interface ExpiryProgress {
  appId: string
  at: number
  id: number
}

/** Nothing before `now` is announced. */
export const firstLook = (now: number): ExpiryLook => ({
  since: now,
  until: now,
  isDone: true,
  afterApp: '',
  progress: null,
})

/**
 * The look to take: the rest of an unfinished one, or the time since the last one; undefined if there is none. While
 * the clock is behind the last look, nothing is announced twice; if it is far behind, the last look had a wrong clock.
 */
export function nextLook(last: ExpiryLook, now: number): ExpiryLook | undefined {
  if (last.until - now > maxAgeSeconds) return firstLook(now)
  if (last.until > now || (last.isDone && last.until === now)) return undefined
  const oldest = now - maxAgeSeconds
  if (!last.isDone) return { ...last, since: Math.max(last.since, oldest) }
  return { ...firstLook(now), since: Math.max(last.until, oldest), isDone: false }
}
