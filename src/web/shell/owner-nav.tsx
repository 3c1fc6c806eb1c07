import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { alertCountQuery } from '../alert-count.ts'
import { paths } from '../paths.ts'
import { useAccount, useSelectedApp } from '../use-account.ts'
import { AppSelector } from './app-selector.tsx'
import { type NavItem, ownerNav, settingsItem } from './nav-items.tsx'
import { NavLink } from './nav-link.tsx'
import { PlanUsageBar } from './plan-usage-bar.tsx'

const number = (value: number) => value.toLocaleString(document.documentElement.lang)

/** How many alerts are new; nothing at none. */
function AlertBadge() {
  const { data: count = 0 } = useQuery(alertCountQuery())
  if (count === 0) return null
  return (
    <span className="rounded-sm tint-danger px-1.5 text-meta font-medium text-danger tabular-nums">
      {count < maxAlertCount ? number(count) : `${number(maxAlertCount - 1)}+`}
      <span className="sr-only">{` ${t`new alerts`}`}</span>
    </span>
  )
}

const maxAlertCount = 1000

/** The rail's content; the drawer of phones shows the same. */
export function OwnerNav() {
  const account = useAccount()
  const app = useSelectedApp()
  const asideOf = ({ count }: NavItem): ReactNode => {
    if (count === 'sessions' && app && app.activeSessions > 0) {
      return <span className="text-meta text-text-3 tabular-nums">{number(app.activeSessions)}</span>
    }
    if (count === 'alerts' && app) return <AlertBadge />
    return null
  }
  return (
    <div className="flex min-h-full flex-col gap-4 p-2.5">
      <AppSelector />
      <nav aria-label={t`Main`} className="flex grow flex-col gap-4 pt-2">
        {ownerNav.map((group) => {
          const title = i18n._(group.title)
          return (
            <div key={title}>
              <p aria-hidden="true" className="px-2 pb-1.5 text-meta text-text-3">
                {title}
              </p>
              <ul aria-label={title}>
                {group.items.map((item) => (
                  <li key={item.to}>
                    <NavLink item={item} aside={asideOf(item)} />
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
        <ul className="mt-auto">
          {account.role === 'admin' && (
            <li>
              <NavLink item={{ to: paths.adminDashboard(), title: msg`Admin View`, icon: <ShieldCheck /> }} />
            </li>
          )}
          <li>
            <NavLink item={settingsItem} />
          </li>
        </ul>
      </nav>
      <PlanUsageBar />
    </div>
  )
}
