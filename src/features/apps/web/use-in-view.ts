import { type RefObject, useEffect, useState } from 'react'

/** Height of the top bar, which covers what scrolls beneath it. */
const coveredPx = 48

/** Whether any of the element can be seen. True until the browser has said otherwise. */
export function useInView(element: RefObject<HTMLElement | null>): boolean {
  const [inView, setInView] = useState(true)
  useEffect(() => {
    if (!element.current) return undefined
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? true), {
      rootMargin: `-${coveredPx}px 0px 0px 0px`,
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return inView
}
