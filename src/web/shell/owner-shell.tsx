import { t } from '@lingui/core/macro'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { type ComponentType, Fragment, type ReactNode } from 'react'
import { selectedAppStore } from '../api/app-selection.ts'
import { isAppPage } from '../navigation/app-address.ts'
import { paths } from '../navigation/paths.ts'
import { platformName } from '../browser/platform-name.ts'
import { useAccount, useSelectedApp } from '../session/use-account.ts'
import { useStore } from '../browser/store.ts'
import { AccountMenu } from './account-menu.tsx'
import { AdminBanner } from './admin-banner.tsx'
import { AppSelector } from './app-selector.tsx'
import { useNotedRange } from './range-links.ts'
import { ownerMainPages, palettePages } from './nav-items.tsx'
import { OwnerNav, type OwnerNavParts } from './owner-nav.tsx'
import type { PaletteFinderProps } from './palette-items.tsx'
import { ShellFrame } from './shell-frame.tsx'

interface OwnerShellProps extends OwnerNavParts {
  /** Above every page. */
  banner: ReactNode
  finder: ComponentType<PaletteFinderProps>
  /** The actions of the account, in the activity drawer. */
  activity: ReactNode
  /** The panel of a license, user, reseller or another thing, over any page. */
  panel: ReactNode
  /** In place of the page of the address, which is missing. */
  children?: ReactNode
}

/** First part of the breadcrumb: only a page about an app belongs to it. */
function useCrumbRoot(isMissing: boolean): string {
  const app = useSelectedApp()
  const isAboutApp = useRouterState({ select: ({ location }) => isAppPage(location.pathname) })
  if (isAboutApp) return app?.appName ?? platformName
  return isMissing ? platformName : t`Account`
}

export function OwnerShell({ banner, finder, activity, panel, children, ...nav }: OwnerShellProps) {
  useNotedRange()
  const account = useAccount()
  const selected = useStore(selectedAppStore)
  // The form of a new app stays filled in until the next page is there, though the app is already selected.
  const isCreating = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname === paths.createApp() })
  return (
    <ShellFrame
      nav={<OwnerNav {...nav} />}
      pages={palettePages}
      phoneHeader={<AppSelector narrow />}
      mainPages={ownerMainPages}
      finder={finder}
      activity={activity}
      crumbRoot={useCrumbRoot(children !== undefined)}
      account={<AccountMenu />}
      banner={
        <>
          {account.role === 'admin' && <AdminBanner />}
          {banner}
        </>
      }
    >
      {/* Another app is another page: no selection, form or open row survives the switch. */}
      <Fragment key={isCreating ? undefined : selected?.appId}>
        {children ?? <Outlet />}
        {panel}
      </Fragment>
    </ShellFrame>
  )
}
