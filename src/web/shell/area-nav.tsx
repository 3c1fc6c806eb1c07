import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { NavItem } from './nav-items.tsx'
import { NavLink } from './nav-link.tsx'

interface AreaNavProps {
  /** In place of the app selector of the owner area. */
  header: ReactNode
  items: readonly NavItem[]
  /** Link that leaves the area. */
  exit?: NavItem
}

/** The rail of the smaller areas: a plain list. */
export function AreaNav({ header, items, exit }: AreaNavProps) {
  return (
    <div className="flex min-h-full flex-col gap-4 p-2.5">
      {header}
      <nav aria-label={t`Main`} className="flex grow flex-col pt-2">
        <ul>
          {items.map((item) => (
            <li key={item.to}>
              <NavLink item={item} />
            </li>
          ))}
        </ul>
        {exit && (
          <div className="mt-auto">
            <NavLink item={exit} />
          </div>
        )}
      </nav>
    </div>
  )
}

/** Header of an area without a selector. */
export const AreaTitle = ({ children }: { children: ReactNode }) => (
  <div className="flex h-[50px] items-center rounded-lg border border-line bg-surface-1 px-3 text-ui font-semibold">
    {children}
  </div>
)
