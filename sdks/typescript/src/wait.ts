/** Resolves after so many seconds, or at once when the signal aborts. */
export type Wait = (seconds: number, signal: AbortSignal) => Promise<void>

const partSeconds = 10
/** A clock that got this far ahead shows that the computer slept. */
export const sleepMs = 5000

/** By how much the clock on the wall is ahead of the monotonic one. */
export const clockGap = (): number => Date.now() - performance.now()

/**
 * A wait in the background, which doesn't keep a program running that has nothing else to do. It ends early after the
 * computer slept: the clock on the wall went on meanwhile, and the monotonic one did not.
 */
export const waitInBackground: Wait = async (seconds, signal) => {
  const before = clockGap()
  const end = performance.now() + seconds * 1000
  for (let left = seconds; left > 0 && !signal.aborted; left = (end - performance.now()) / 1000) {
    await pause(Math.min(left, partSeconds), signal)
    if (clockGap() - before > sleepMs) return
  }
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer as number)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer: unknown = setTimeout(end, seconds * 1000)
    ;(timer as { unref?: () => void }).unref?.()
    signal.addEventListener('abort', end, { once: true })
  })
}
