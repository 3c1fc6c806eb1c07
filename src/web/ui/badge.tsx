import type { ReactNode } from 'react'

export type BadgeTone = 'ok' | 'accent' | 'neutral' | 'danger' | 'warn' | 'info' | 'violet'
export type BadgeDot = 'filled' | 'ring' | 'slashed' | 'dashed'

export interface BadgeProps {
  tone?: BadgeTone
  dot?: BadgeDot
  children: ReactNode
}

/** Beside its text, in px: padding and dot. */
export const badgeFrame = 28

const tones: Record<BadgeTone, string> = {
  ok: 'bg-surface-2 text-text-2',
  accent: 'tint-accent-text text-accent-text',
  neutral: 'bg-surface-2 text-text-2',
  danger: 'tint-danger text-danger',
  warn: 'tint-warn text-warn',
  info: 'tint-info text-info',
  violet: 'tint-violet text-violet',
}

/**
 * `<Badge tone="ok" dot="filled">Active</Badge>`: active filled, paused ring, banned slashed, expired dashed. The normal
 * state is gray, so that only what differs has a hue.
 */
export function Badge({ tone = 'neutral', dot, children }: BadgeProps) {
  return (
    <span
      data-dot={dot}
      className={`badge inline-flex h-5 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-sm px-2 text-meta font-medium ${tones[tone]}`}
    >
      {children}
    </span>
  )
}
