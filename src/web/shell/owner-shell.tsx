import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Fragment } from 'react'
import { selectedAppStore } from '../app-selection.ts'
import { useAccount, useSelectedApp } from '../use-account.ts'
import { useShortcuts } from '../shortcuts.ts'
import { useStore } from '../store.ts'
import { AccountMenu } from './account-menu.tsx'
import { AdminBanner } from './admin-banner.tsx'
import { allOwnerItems, palettePages } from './nav-items.tsx'
import { OwnerNav } from './owner-nav.tsx'
import { ShellFrame } from './shell-frame.tsx'

function useNavigationShortcuts() {
  const navigate = useNavigate()
  const group = t`Go to`
  useShortcuts(
    allOwnerItems.flatMap(({ to, title, key }) =>
      key ? [{ id: `go-${to}`, keys: `g ${key}`, label: i18n._(title), group, run: () => void navigate({ to }) }] : [],
    ),
  )
}

export function OwnerShell() {
  const account = useAccount()
  const app = useSelectedApp()
  const selected = useStore(selectedAppStore)
  useNavigationShortcuts()
  return (
    <ShellFrame
      nav={<OwnerNav />}
      pages={palettePages}
      crumbRoot={app?.appName}
      account={<AccountMenu />}
      banner={account.role === 'admin' && <AdminBanner />}
    >
      {/* Another app is another page: no selection, form or open row survives the switch. */}
      <Fragment key={selected?.appId}>
        <Outlet />
      </Fragment>
    </ShellFrame>
  )
}
