/** Replies to the first reads of a page, which `public/start.js` asks for while the scripts still load. */

interface EarlyReply {
  /** The app that it was asked for; empty without one. */
  appId: string
  reply: Promise<Response>
}

declare global {
  var signetEarly: (() => Map<string, EarlyReply>) | undefined
}

const startedAt = performance.now()
/** As long as the query cache takes data to be fresh. */
const freshMs = 10_000

/** The reply to this read, at most once, unless it is old or was asked for another app. */
export function takeEarlyReply(url: string, appId: string | null): Promise<Response> | undefined {
  const early = globalThis.signetEarly?.()
  const found = early?.get(url)
  early?.delete(url)
  const isUsable = found?.appId === (appId ?? '') && performance.now() - startedAt < freshMs
  return isUsable ? found.reply : undefined
}

/** Before a write, which may change what was read. */
export function dropEarlyReplies(): void {
  globalThis.signetEarly?.().clear()
}
