import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paths } from '#web/navigation/paths.ts'

/** Names that lead to the list or the details of what they name. */

const look = 'rounded-sm underline decoration-line-strong underline-offset-2 hover:decoration-current'
const machine = `machine wrap-anywhere ${look}`

interface NameProps {
  name: string
  className?: string
}

export const UserName = ({ name, className = '' }: NameProps) => (
  <Link to={paths.users()} search={{ q: name }} translate="no" className={`wrap-anywhere ${look} ${className}`}>
    {name}
  </Link>
)

export const LicenseName = ({ name, className = '' }: NameProps) => (
  <Link
    to={paths.licenses()}
    search={{ dialog: 'license', row: name }}
    translate="no"
    className={`${machine} ${className}`}
  >
    {name}
  </Link>
)

export const LevelName = ({ level, children }: { level: number; children: ReactNode }) => (
  <Link to={paths.subscriptions()} search={{ dialog: 'edit', row: level }} className={`wrap-anywhere ${look}`}>
    {children}
  </Link>
)

export const DeviceName = ({ name, className = '' }: NameProps) => (
  <Link to={paths.logs()} search={{ hwid: name }} translate="no" className={`${machine} ${className}`}>
    {name}
  </Link>
)

export const AddressName = ({ name, className = '' }: NameProps) => (
  <Link to={paths.logs()} search={{ ip: name }} translate="no" className={`${machine} ${className}`}>
    {name}
  </Link>
)

export const SessionName = ({ name, className = '' }: NameProps) => (
  <Link to={paths.sessions()} search={{ q: name }} translate="no" className={`${machine} ${className}`}>
    {name}
  </Link>
)
