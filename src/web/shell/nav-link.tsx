import { i18n } from '@lingui/core'
import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRangeSearch } from './range-links.ts'
import type { NavItem } from './nav-items.tsx'

const look = [
  'relative flex h-7.5 items-center gap-2 rounded-md px-2 text-ui text-text-2 pointer-coarse:h-11',
  'hover:bg-surface-2 hover:text-text [&_svg]:size-4 [&_svg]:shrink-0',
  // The tick is at the edge of the rail, outside the item.
  'aria-[current=page]:bg-surface-2 aria-[current=page]:text-text aria-[current=page]:[&_svg]:text-accent-text',
  'aria-[current=page]:before:absolute aria-[current=page]:before:-left-2.5 aria-[current=page]:before:h-4',
  'aria-[current=page]:before:w-0.5 aria-[current=page]:before:bg-accent-edge',
].join(' ')

interface NavLinkProps {
  item: Pick<NavItem, 'to' | 'title' | 'icon' | 'isFor'>
  aside?: ReactNode
  className?: string
}

export function NavLink({ item, aside, className = look }: NavLinkProps) {
  const isOnOther = useRouterState({ select: ({ location }) => item.isFor?.includes(location.pathname) ?? false })
  const rangeSearch = useRangeSearch()
  const current = { 'aria-current': 'page' as const }
  return (
    <Link
      to={item.to}
      search={rangeSearch(item.to)}
      className={className}
      activeOptions={{ includeSearch: false }}
      activeProps={current}
      {...(isOnOther && current)}
    >
      {item.icon}
      <span className="max-w-full min-w-0 grow truncate">{i18n._(item.title)}</span>
      {aside}
    </Link>
  )
}
