import { msg, t } from '@lingui/core/macro'
import { Outlet } from '@tanstack/react-router'
import { Activity, CreditCard, FileClock, LayoutDashboard, ListX, Settings2, Undo2, Users } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { paths } from '../navigation/paths.ts'
import { AccountMenu } from './account-menu.tsx'
import { AreaNav, AreaTitle } from './area-nav.tsx'
import type { NavItem } from './nav-items.tsx'
import type { PaletteFinderProps } from './palette-items.tsx'
import { ShellFrame } from './shell-frame.tsx'

const items: readonly NavItem[] = [
  { to: paths.adminDashboard(), title: msg`Dashboard`, icon: <LayoutDashboard /> },
  { to: paths.adminOwners(), title: msg`Owners`, icon: <Users /> },
  { to: paths.adminPlans(), title: msg`Plans`, icon: <CreditCard /> },
  { to: paths.adminJobs(), title: msg`Failed jobs`, icon: <ListX /> },
  { to: paths.adminAudit(), title: msg`Audit`, icon: <FileClock /> },
  { to: paths.adminSettings(), title: msg`System Settings`, icon: <Settings2 /> },
]
/** In the bottom bar of phones. */
const mainPages = items.filter(({ to }) =>
  [paths.adminDashboard(), paths.adminOwners(), paths.adminJobs(), paths.adminAudit()].some((path) => path === to),
)
const ownerView: NavItem = { to: paths.overview(), title: msg`Owner View`, icon: <Undo2 /> }
const pages = [...items, ownerView, { to: paths.status(), title: msg`Status`, icon: <Activity /> }]

interface AdminShellProps {
  finder: ComponentType<PaletteFinderProps>
  /** The actions of the administrator, in the activity drawer. */
  activity?: ReactNode
  /** The panel of an owner or of an entry of the audit, over any page. */
  panel?: ReactNode
  children?: ReactNode
}

/** Neutral instead of green, with a striped edge, so that administrators notice which area they are in. */
export function AdminShell({ finder, activity, panel, children = <Outlet /> }: AdminShellProps) {
  return (
    <>
      <div aria-hidden="true" className="admin-stripe fixed inset-x-0 top-0 z-[45] h-[3px]" />
      <ShellFrame
        nav={<AreaNav header={<AreaTitle>{t`Administration`}</AreaTitle>} items={items} exit={ownerView} />}
        crumbRoot={t`Administration`}
        account={<AccountMenu />}
        pages={pages}
        mainPages={mainPages}
        finder={finder}
        activity={activity}
      >
        {children}
        {panel}
      </ShellFrame>
    </>
  )
}
