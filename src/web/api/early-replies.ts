/** Replies to the first reads of a page, which `public/start.js` asks for while the scripts still load. */

interface EarlyReply {
  /** The app that it was asked for; empty without one. */
  appId: string
  reply: Promise<Response>
  /** Its body, once that is read, unless it is an error. */
  data?: { success?: boolean }
}

declare global {
  var signetEarly: (() => Map<string, EarlyReply>) | undefined
}

const startedAt = performance.now()
/** As long as the query cache takes data to be fresh. */
const freshMs = 10_000

/** What start.js has of this read, unless it is old or was asked for another app. */
export function usableReply(url: string, appId: string | null | undefined): EarlyReply | undefined {
  const found = globalThis.signetEarly?.().get(url)
  return found?.appId === (appId ?? '') && performance.now() - startedAt < freshMs ? found : undefined
}

/** The reply to this read, at most once. */
export function takeEarlyReply(url: string, appId: string | null): Promise<Response> | undefined {
  const found = usableReply(url, appId)
  globalThis.signetEarly?.().delete(url)
  return found?.reply
}

/** Before a write, which may change what was read. */
export function dropEarlyReplies(): void {
  globalThis.signetEarly?.().clear()
}
