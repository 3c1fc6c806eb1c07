import { type RefObject, useLayoutEffect, useState } from 'react'

export interface Box {
  top: number
  right: number
  bottom: number
  left: number
}

const gapPx = 12

const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** How far up a box must move to cover none of the others, which may be above each other. */
export function liftOver(box: Box, others: readonly Box[], gap = gapPx): number {
  let lift = 0
  const covered = () =>
    others.find((other) => overlap({ ...box, top: box.top - lift, bottom: box.bottom - lift }, other))
  for (let other = covered(); other; other = covered()) lift = box.bottom - other.top + gap
  return lift
}

/** Pagination, and bars that float at the bottom. */
export const keptClear = { 'data-keep-clear': '' }

/** Keeps an element that is fixed at the bottom above what it must not cover. `content`: changes with its height. */
export function useClearBottom(element: RefObject<HTMLElement | null>, content: unknown): number {
  const [lift, setLift] = useState(0)
  useLayoutEffect(() => {
    const own = element.current
    if (!own || own.getBoundingClientRect().height === 0) return undefined
    const place = () => {
      const moved = new DOMMatrix(getComputedStyle(own).transform).m42
      const { top, right, bottom, left } = own.getBoundingClientRect()
      const others = [...document.querySelectorAll('[data-keep-clear]')].map((each) => each.getBoundingClientRect())
      setLift(liftOver({ top: top - moved, right, bottom: bottom - moved, left }, others))
    }
    place()
    const resized = new ResizeObserver(place)
    for (const each of [own, document.body]) resized.observe(each)
    window.addEventListener('scroll', place, { passive: true })
    window.addEventListener('resize', place)
    return () => {
      resized.disconnect()
      window.removeEventListener('scroll', place)
      window.removeEventListener('resize', place)
    }
  }, [element, content])
  return lift
}
