import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface NumberLinkProps {
  to: string
  /** The filter of the list, so that it has exactly what is counted. */
  search?: Record<string, string>
  /** What is counted, where the number alone doesn't say it: "3 users of Basic". */
  label?: string
  children: ReactNode
}

export const numberLook =
  'rounded-sm tabular-nums underline decoration-line-strong underline-offset-2 hover:decoration-current pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center'

/** A number that leads to the list of what it counts. */
export const NumberLink = ({ to, search = {}, label, children }: NumberLinkProps) => (
  <Link to={to} search={search} aria-label={label} className={numberLook}>
    {children}
  </Link>
)
