import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all times on the page; it runs while any of them is shown. */
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
 * What `read` makes of the present moment (epoch seconds), read every second. The component renders anew only when
 * the result differs, so that a page of two hundred times stays quiet.
 */
export function useTicking<T extends string | number | boolean>(read: (now: number) => T): T {
  return useSyncExternalStore(subscribe, () => read(nowSeconds()))
}
