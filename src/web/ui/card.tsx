import type { ReactNode } from 'react'

/** A framed surface. Put `Section`s inside; hairlines part them. */
export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={`rounded-lg border border-line bg-surface-1 [&>section+section]:border-t [&>section+section]:border-line ${className}`}
    >
      {children}
    </div>
  )
}
