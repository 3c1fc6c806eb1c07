import { CancelledError } from '@tanstack/react-query'

/** Reads that follow a change come from several rows of one action; it is enough to read once. */
const settleMs = 300
/** After a failed run. */
const failedRestMs = 30_000

interface Paced {
  /** Runs soon, once for all requests until then. */
  request: () => void
  /** The same, without the rest after a run that failed. */
  retry: () => void
  stop: () => void
}

/**
 * Runs `work` on request, one at a time, with at least `restMs` in between for each request that it says it made, or
 * four times as long as it took. A run that fails is repeated later, and one that is canceled as if it were requested again.
 */
export function paced(work: () => Promise<number | void>, restMs: number): Paced {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isRequested = false
  let isStopped = false
  let freeAt = 0
  const run = async () => {
    timer = undefined
    isRunning = true
    isRequested = false
    const startedAt = performance.now()
    let hasFailed = false
    let requests = 1
    try {
      requests = (await work()) ?? 1
    } catch (error) {
      // By a change that this tab shows at once: what was read may be older.
      if (error instanceof CancelledError) isRequested = true
      else hasFailed = true
    }
    const endedAt = performance.now()
    freeAt = endedAt + (hasFailed ? failedRestMs : Math.max(requests * restMs, 4 * (endedAt - startedAt)))
    isRunning = false
    if (isRequested || hasFailed) request()
  }
  const request = () => {
    isRequested = true
    if (isStopped || isRunning || timer !== undefined) return
    timer = setTimeout(() => void run(), Math.max(settleMs, freeAt - performance.now()))
  }
  const retry = () => {
    clearTimeout(timer)
    timer = undefined
    freeAt = 0
    request()
  }
  const stop = () => {
    isStopped = true
    clearTimeout(timer)
  }
  return { request, retry, stop }
}
