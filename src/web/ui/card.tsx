import type { ReactNode } from 'react'

/** A framed surface. Contains `Section`s, separated by hairlines. */
export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={`rounded-lg border border-line bg-surface-1 [&>section+section]:border-t [&>section+section]:border-line ${className}`}
    >
      {children}
    </div>
  )
}
