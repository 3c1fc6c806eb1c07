import { Outlet } from '@tanstack/react-router'
import { Fragment } from 'react'
import { selectedAppStore } from '../app-selection.ts'
import { platformName } from '../platform-name.ts'
import { useAccount, useSelectedApp } from '../use-account.ts'
import { useStore } from '../store.ts'
import { AccountMenu } from './account-menu.tsx'
import { AdminBanner } from './admin-banner.tsx'
import { palettePages } from './nav-items.tsx'
import { OwnerNav } from './owner-nav.tsx'
import { PlanEndBanner } from './plan-end-banner.tsx'
import { ShellFrame } from './shell-frame.tsx'

export function OwnerShell() {
  const account = useAccount()
  const app = useSelectedApp()
  const selected = useStore(selectedAppStore)
  return (
    <ShellFrame
      nav={<OwnerNav />}
      pages={palettePages}
      crumbRoot={app?.appName ?? platformName}
      account={<AccountMenu />}
      banner={
        <>
          {account.role === 'admin' && <AdminBanner />}
          <PlanEndBanner />
        </>
      }
    >
      {/* Another app is another page: no selection, form or open row survives the switch. */}
      <Fragment key={selected?.appId}>
        <Outlet />
      </Fragment>
    </ShellFrame>
  )
}
