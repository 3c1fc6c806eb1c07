import type { ReactNode } from 'react'

export type BadgeTone = 'ok' | 'accent' | 'neutral' | 'danger' | 'warn' | 'info' | 'violet'
/** The fill of the dot repeats the state for people who cannot tell the colors apart. */
export type BadgeDot = 'filled' | 'ring' | 'slashed' | 'dashed' | 'none'

export interface BadgeProps {
  tone?: BadgeTone
  dot?: BadgeDot
  children: ReactNode
}

const tones: Record<BadgeTone, string> = {
  ok: 'bg-surface-2 text-text-2',
  accent: 'tint-accent-text text-accent-text',
  neutral: 'bg-surface-2 text-text-2',
  danger: 'tint-danger text-danger',
  warn: 'tint-warn text-warn',
  info: 'tint-info text-info',
  violet: 'tint-violet text-violet',
}

function Dot({ fill }: { fill: Exclude<BadgeDot, 'none'> }) {
  return (
    <svg viewBox="0 0 8 8" className="size-2 shrink-0" aria-hidden="true" fill="none" stroke="currentColor">
      {fill === 'filled' && <circle cx="4" cy="4" r="3" fill="currentColor" stroke="none" />}
      {fill === 'ring' && <circle cx="4" cy="4" r="3" strokeWidth="1.2" />}
      {fill === 'dashed' && <circle cx="4" cy="4" r="3" strokeWidth="1.2" strokeDasharray="1.6 1.5" />}
      {fill === 'slashed' && (
        <>
          <circle cx="4" cy="4" r="3" strokeWidth="1.2" />
          <path d="m2 6 4-4" strokeWidth="1.2" />
        </>
      )}
    </svg>
  )
}

/**
 * `<Badge tone="ok" dot="filled">Active</Badge>`: active filled, paused ring, banned slashed, expired dashed. The normal
 * state is gray, so that only what differs has a hue.
 */
export function Badge({ tone = 'neutral', dot = 'none', children }: BadgeProps) {
  return (
    <span
      className={`badge inline-flex h-5 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-sm px-2 text-meta font-medium ${tones[tone]}`}
    >
      {dot !== 'none' && <Dot fill={dot} />}
      {children}
    </span>
  )
}
