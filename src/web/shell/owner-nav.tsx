import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '../navigation/paths.ts'
import { useAccount, useSelectedApp } from '../session/use-account.ts'
import { AppSelector } from './app-selector.tsx'
import { type NavItem, ownerNav } from './nav-items.tsx'
import { NavLink } from './nav-link.tsx'

const number = (value: number) => value.toLocaleString(document.documentElement.lang)

export interface OwnerNavParts {
  /** Next to the link to the alerts. */
  alertBadge: ReactNode
  /** At the bottom of the rail. */
  planUsage: ReactNode
  /** Above the links, until the first program runs. */
  firstSteps: ReactNode
}

/** Content of the rail, and of the drawer on phones. */
export function OwnerNav({ alertBadge, planUsage, firstSteps }: OwnerNavParts) {
  const account = useAccount()
  const app = useSelectedApp()
  const asideOf = ({ count }: NavItem): ReactNode => {
    if (count === 'sessions' && app && app.activeSessions > 0) {
      return <span className="text-meta text-text-3 tabular-nums">{number(app.activeSessions)}</span>
    }
    if (count === 'alerts' && app) return alertBadge
    return null
  }
  return (
    <div className="flex min-h-full flex-col gap-4 p-2.5">
      <AppSelector />
      {firstSteps}
      <nav aria-label={t`Main`} className="flex grow flex-col gap-4 pt-2">
        {ownerNav.map(({ title, items }) => {
          const name = title && i18n._(title)
          return (
            <div key={name ?? ''}>
              {name && (
                <p aria-hidden="true" className="px-2 pb-1.5 text-meta text-text-3">
                  {name}
                </p>
              )}
              <ul aria-label={name}>
                {items.map((item) => (
                  <li key={item.to}>
                    <NavLink item={item} aside={asideOf(item)} />
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
        {account.role === 'admin' && (
          <div className="mt-auto">
            <NavLink item={{ to: paths.adminDashboard(), title: msg`Admin View`, icon: <ShieldCheck /> }} />
          </div>
        )}
      </nav>
      {planUsage}
    </div>
  )
}
