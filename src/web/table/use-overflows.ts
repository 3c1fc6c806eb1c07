import { type RefObject, useLayoutEffect, useState } from 'react'

/** Whether the frame is narrower than the table needs; only then does it scroll, and its header can't stick. */
export function useOverflows(frame: RefObject<HTMLElement | null>, leastWidth: number): boolean {
  const [overflows, setOverflows] = useState(false)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const measure = () => setOverflows(element.clientWidth < leastWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame, leastWidth])
  return overflows
}
