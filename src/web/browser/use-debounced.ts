import { useEffect, useRef } from 'react'

/** Calls `run` once its calls have paused for `delayMs`. `cancel` drops what is waiting. */
export function useDebounced<A extends unknown[]>(run: (...args: A) => void, delayMs: number) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const cancel = () => clearTimeout(timer.current)
  const schedule = (...args: A) => {
    cancel()
    timer.current = setTimeout(() => latest.current(...args), delayMs)
  }
  return { schedule, cancel }
}
