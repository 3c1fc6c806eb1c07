import { type RefObject, useLayoutEffect, useState } from 'react'

/** The available width of a table, updated on resize. Only a table that needs more scrolls horizontally. */
export function useFrameWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Infinity)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  return width
}
