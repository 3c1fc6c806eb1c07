import { type KeyboardEvent, type PointerEvent, useEffect, useState } from 'react'
import { pointAfterKey } from './chart-keys.ts'
import type { TimeSpan } from './span-text.ts'

/** Indexes of the first and the last point. */
export interface Selection {
  from: number
  to: number
}

interface BrushOptions {
  points: readonly TimeSpan[]
  active: number | undefined
  setActive: (index: number | undefined) => void
  onSelect: ((range: TimeSpan) => void) | undefined
  /** Whether a single point is a range: a day has hours. */
  canSelectOne: boolean
  /** Also by a click, or by Enter. */
  byClick: boolean
}

interface Range {
  anchor: number
  to: number
  /** Pixels from the left edge of the window where dragging began; undefined with the keyboard. */
  startX: number | undefined
  /** Dragged far enough to select a single point; less is a click. */
  isWide: boolean
}

const minDragPixels = 12

/** Selects a range of points by dragging, or with Shift and the arrow keys; Enter confirms, Escape gives up. */
export function useBrush({ points, active, setActive, onSelect, canSelectOne, byClick }: BrushOptions) {
  const last = points.length - 1
  const [range, setRange] = useState<Range>()
  const selected: Selection | undefined =
    range && (range.isWide || range.anchor !== range.to)
      ? { from: Math.min(range.anchor, range.to), to: Math.max(range.anchor, range.to) }
      : undefined
  const cancel = () => setRange(undefined)
  const confirm = (one?: number) => {
    cancel()
    const [first, end] = selected
      ? [points[selected.from], points[selected.to]]
      : [points[one ?? -1], points[one ?? -1]]
    if (first && end) onSelect?.({ from: first.from, to: end.to })
  }

  // While dragging, the focus can be anywhere.
  const isDragging = range?.startX !== undefined
  useEffect(() => {
    if (!isDragging) return undefined
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      setRange(undefined)
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [isDragging])

  const start = (event: PointerEvent, index: number) => {
    setActive(index)
    if (!onSelect || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setRange({ anchor: index, to: index, startX: event.clientX, isWide: false })
  }
  const move = (event: PointerEvent, index: number) => {
    setActive(index)
    if (range?.startX === undefined) return
    const isWide = canSelectOne && Math.abs(event.clientX - range.startX) >= minDragPixels
    setRange({ ...range, to: index, isWide })
  }
  const end = () => {
    if (isDragging) confirm(byClick ? range.anchor : undefined)
  }

  const key = (event: KeyboardEvent) => {
    const at = active ?? last
    const isExtending = event.shiftKey && onSelect !== undefined
    const to = pointAfterKey(event.key, at, last)
    if (to !== undefined) {
      setActive(to)
      setRange(isExtending ? { anchor: range?.anchor ?? at, to, startX: undefined, isWide: false } : undefined)
    } else if (event.key === 'Enter' && (selected || (byClick && onSelect))) confirm(at)
    else if (event.key === 'Escape' && range) cancel()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { selected, start, move, end, cancel, key }
}
