import { compareBuild } from '../browser/build.ts'
import { createStore } from '../browser/store.ts'

/** Since when the server has been unreachable, in epoch milliseconds. */
export const lostAtStore = createStore<number | undefined>(undefined)

const probeMs = 10_000
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

async function askServer(): Promise<boolean> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(probeMs) })
    recordReply(response)
    if (response.ok) return true
  } catch {
    // Recorded below, like an error of a gateway.
  }
  lostAtStore.set(lostAtStore.get() ?? Date.now())
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
