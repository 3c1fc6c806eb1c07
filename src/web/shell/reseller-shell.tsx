import { msg, t } from '@lingui/core/macro'
import { Outlet } from '@tanstack/react-router'
import { Coins, KeyRound, LayoutDashboard, Users } from 'lucide-react'
import { paths } from '../paths.ts'
import { AccountMenu } from './account-menu.tsx'
import { AreaNav } from './area-nav.tsx'
import type { NavItem } from './nav-items.tsx'
import { ShellFrame } from './shell-frame.tsx'

const items: readonly NavItem[] = [
  { to: paths.resellerDashboard(), title: msg`Dashboard`, icon: <LayoutDashboard /> },
  { to: paths.resellerLicenses(), title: msg`Licenses`, icon: <KeyRound /> },
  { to: paths.resellerUsers(), title: msg`Users`, icon: <Users /> },
  { to: paths.resellerCredits(), title: msg`Credits`, icon: <Coins /> },
]

/** @TODO The assigned apps with their credits take the place of the heading once resellers exist. */
export function ResellerShell() {
  return (
    <ShellFrame
      nav={<AreaNav header={t`Reseller`} items={items} />}
      crumbRoot={t`Reseller`}
      account={<AccountMenu />}
      pages={items}
    >
      <Outlet />
    </ShellFrame>
  )
}
