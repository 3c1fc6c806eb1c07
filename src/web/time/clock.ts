import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** A single timer for all times on the page; it runs while any of them is shown. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/**
 * Evaluates `read` with the current time (epoch seconds) every second. Re-renders only when the result changes, so that
 * a page with two hundred times stays cheap.
 */
export function useTicking<T extends string | number | boolean>(read: (now: number) => T): T {
  return useSyncExternalStore(subscribe, () => read(nowSeconds()))
}
