import { compareBuild } from '../browser/build.ts'
import { createStore } from '../browser/store.ts'

/** Since when the server can't be reached, in epoch milliseconds. */
export const lostAtStore = createStore<number | undefined>(undefined)

const probeMs = 10_000
const recentMs = 10_000

/** The page itself has just come from there. */
let reachedAt = Date.now()
let probing: Promise<boolean> | undefined

/** The server has answered. A gateway that speaks for a server that is away (502 to 504) doesn't count. */
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
    // Recorded below, as a gateway's refusal is.
  }
  lostAtStore.set(lostAtStore.get() ?? Date.now())
  return false
}

/** Asks whether the server is there; everybody who wants to know at the same time shares one question. */
export function probeServer(): Promise<boolean> {
  probing ??= askServer().finally(() => (probing = undefined))
  return probing
}

/** The same, without a question where the server has just answered. */
export const isReachable = async (): Promise<boolean> =>
  (lostAtStore.get() === undefined && Date.now() - reachedAt < recentMs) || probeServer()
