import { type ReactNode, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

export interface TooltipProps {
  text: ReactNode
  /** The tooltip equals the trigger's name and adds no description. */
  isLabel?: boolean
  className?: string
  children: ReactNode
}

const opensAfterMs = 400

interface Place {
  x: number
  y: number
  below: boolean
}

/** Shown on hover and keyboard focus, can itself be hovered, and closes with Escape (WCAG 1.4.13). */
export function Tooltip({ text, isLabel = false, className = '', children }: TooltipProps) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [place, setPlace] = useState<Place>()

  const show = (delayMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const box = anchor.current?.getBoundingClientRect()
      if (!box) return
      const below = box.top < 48
      const x = Math.min(Math.max(box.left + box.width / 2, 80), window.innerWidth - 80)
      setPlace({ x, y: below ? box.bottom + 6 : box.top - 6, below })
    }, delayMs)
  }
  const hide = (delayMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setPlace(undefined), delayMs)
  }

  return (
    <span
      ref={anchor}
      className={`inline-flex ${className}`}
      onPointerEnter={(event) => event.pointerType === 'mouse' && show(opensAfterMs)}
      onPointerLeave={() => hide(100)}
      onPointerDown={() => hide(0)}
      onFocus={(event) => event.target.matches(':focus-visible') && show(0)}
      onBlur={() => hide(0)}
      onKeyDown={(event) => event.key === 'Escape' && hide(0)}
      aria-describedby={place && !isLabel ? id : undefined}
    >
      {children}
      {place &&
        createPortal(
          <span
            id={id}
            role="tooltip"
            aria-hidden={isLabel || undefined}
            onPointerEnter={() => clearTimeout(timer.current)}
            onPointerLeave={() => hide(100)}
            className={`fixed z-[70] max-w-72 animate-fade -translate-x-1/2 rounded-sm border border-line bg-surface-3 px-2 py-1 text-meta text-text shadow-overlay ${place.below ? '' : '-translate-y-full'}`}
            style={{ left: place.x, top: place.y }}
          >
            {text}
          </span>,
          document.body,
        )}
    </span>
  )
}
