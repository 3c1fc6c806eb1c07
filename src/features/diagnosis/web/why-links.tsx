import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paths } from '#web/navigation/paths.ts'

const look = 'rounded-sm underline decoration-line-strong underline-offset-2 hover:decoration-current'

/** The name of a level, which leads to its form. */
export const LevelName = ({ level, children }: { level: number; children: ReactNode }) => (
  <Link to={paths.subscriptions()} search={{ dialog: 'edit', row: level }} className={`wrap-anywhere ${look}`}>
    {children}
  </Link>
)
