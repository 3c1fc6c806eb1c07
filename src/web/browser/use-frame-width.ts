import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * The available width of a table or a chart, updated on resize; infinite before it is known. To measure a frame that is
 * just being added, the browser must lay out the page once more. `expected` avoids that where the width follows from
 * the page as it is; the frame is rendered again before it is painted if its width is another one.
 */
export function useFrameWidth(frame: RefObject<HTMLElement | null>, expected?: () => number): number {
  const [width, setWidth] = useState(expected ?? Infinity)
  const isExpected = useRef(width !== Infinity)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const measure = () => setWidth(element.clientWidth)
    if (!isExpected.current) measure()
    const observer = new ResizeObserver(() => {
      if (isExpected.current) flushSync(measure)
      else measure()
      isExpected.current = false
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  return width
}
