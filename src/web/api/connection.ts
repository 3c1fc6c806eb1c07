import { compareBuild } from '../browser/build.ts'
import { createStore } from '../browser/store.ts'

/** Since when the server has been unreachable, in epoch milliseconds. */
export const lostAtStore = createStore<number | undefined>(undefined)

const probeMs = 10_000
const longWaitMs = 10_000
const recentMs = 10_000

/** The page has just been loaded from the server. */
let reachedAt = Date.now()
let probing: Promise<boolean> | undefined

/** The server has replied. Replies of a gateway in front of an unavailable server (502 to 504) do not count. */
export function recordReply({ status, headers }: Response) {
  if (status >= 502) return
  reachedAt = Date.now()
  compareBuild(headers)
  lostAtStore.set(undefined)
}

interface WaitingCall {
  since: number
  abort: () => void
}

const waitingCalls = new Set<WaitingCall>()

/**
 * Fails a call that gets no answer once the server can't be reached: a connection that has died silently would hold the
 * call, and the form that waits for it, for many minutes.
 */
export async function watchCall<T>(
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  const call = { since: Date.now(), abort }
  waitingCalls.add(call)
  const timer = setInterval(() => void probeServer(), longWaitMs)
  try {
    return await run(controller.signal)
  } finally {
    clearInterval(timer)
    waitingCalls.delete(call)
    signal?.removeEventListener('abort', abort)
  }
}

async function askServer(): Promise<boolean> {
  const askedAt = Date.now()
  try {
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(probeMs) })
    recordReply(response)
    if (response.ok) return true
  } catch {
    // Recorded below, like an error of a gateway.
  }
  lostAtStore.set(lostAtStore.get() ?? askedAt)
  for (const call of waitingCalls) if (call.since <= askedAt) call.abort()
  return false
}

/** Checks whether the server is reachable; concurrent callers share one request. */
export function probeServer(): Promise<boolean> {
  probing ??= askServer().finally(() => (probing = undefined))
  return probing
}

/** The same, but without a request if the server has just replied. */
export const isReachable = async (): Promise<boolean> =>
  (lostAtStore.get() === undefined && Date.now() - reachedAt < recentMs) || probeServer()
