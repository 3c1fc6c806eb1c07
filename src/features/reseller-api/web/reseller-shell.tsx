import { msg, plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, Coins, KeyRound, LayoutDashboard, Users } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { rememberSelectedApp, selectedAppStore } from '#web/api/app-selection.ts'
import { type AssignedApp, assignedAppsQuery } from './assigned-apps.ts'
import { brand } from '#web/browser/brand.ts'
import { notify } from '#web/browser/notify.ts'
import { paths } from '#web/navigation/paths.ts'
import { useStore } from '#web/browser/store.ts'
import { Menu } from '#web/ui/menu.tsx'
import { useAccount } from '#web/session/use-account.ts'
import { useAssignedApp } from './use-assigned-app.ts'
import { AccountMenu } from '#web/shell/account-menu.tsx'
import { appSelectorStyle, narrowSelectorStyle } from '#web/shell/app-selector-face.tsx'
import { AreaNav } from '#web/shell/area-nav.tsx'
import type { NavItem } from '#web/shell/nav-items.tsx'
import { ShellFrame } from '#web/shell/shell-frame.tsx'

const items: readonly NavItem[] = [
  { to: paths.resellerDashboard(), title: msg`Dashboard`, icon: <LayoutDashboard />, key: 'd' },
  { to: paths.resellerLicenses(), title: msg`Licenses`, icon: <KeyRound />, key: 'l' },
  { to: paths.resellerUsers(), title: msg`Users`, icon: <Users />, key: 'u' },
  { to: paths.resellerCredits(), title: msg`Credits`, icon: <Coins />, key: 'c' },
]

export function ResellerShell({ children = <Outlet /> }: { children?: ReactNode }) {
  const app = useAssignedApp()
  const selected = useStore(selectedAppStore)
  return (
    <ShellFrame
      nav={<AreaNav header={<Header />} items={items} />}
      crumbRoot={app?.appName ?? t`Reseller`}
      account={<AccountMenu />}
      pages={items}
      phoneHeader={<AssignedAppSelector narrow />}
      mainPages={items}
    >
      {/* Switching apps remounts the page, as in the owner's area. */}
      <Fragment key={selected?.appId}>{children}</Fragment>
    </ShellFrame>
  )
}

/** The reseller's brand on its custom domain, and the selected app. */
const Header = () => (
  <>
    {brand && (
      <p translate="no" className="flex items-center gap-2 px-2 pt-1 text-section font-semibold">
        {brand.logo && (
          <img src={brand.logo} alt="" referrerPolicy="no-referrer" className="h-6 max-w-24 object-contain" />
        )}
        <span className="min-w-0 truncate">{brand.name}</span>
      </p>
    )}
    <AssignedAppSelector />
  </>
)

const creditsText = ({ credits }: AssignedApp) => plural(credits, { one: '# credit', other: '# credits' })

/** Selects one of the assigned apps; each is listed with its credits. */
function AssignedAppSelector({ narrow = false }: { narrow?: boolean }) {
  const style = narrow ? narrowSelectorStyle : appSelectorStyle
  const reseller = useAccount()
  const current = useAssignedApp()
  const navigate = useNavigate()
  const { data: apps = [] } = useQuery(assignedAppsQuery)
  const choose = async (app: AssignedApp) => {
    if (app.appId === current?.appId) return
    rememberSelectedApp(reseller.id, app)
    // Page, search and dialog in the URL refer to rows of the previous app.
    await navigate({ to: '.', search: {} })
    const { appName } = app
    notify.success(t`Switched to app: ${appName}`)
  }
  const face = (
    <>
      <span className="min-w-0 grow">
        <span className="block truncate text-ui leading-[18px] font-semibold text-text">
          {current?.appName ?? t`No App Selected`}
        </span>
        {!current && (
          <span className={`block truncate text-[11.5px] leading-4 text-text-2 ${narrow ? 'sr-only' : ''}`}>
            {apps.length > 0 ? t`Select an app` : t`No apps assigned yet`}
          </span>
        )}
      </span>
      {apps.length > 0 && <ChevronsUpDown className="size-4 shrink-0 text-text-3" />}
    </>
  )
  if (apps.length === 0) return <div className={style}>{face}</div>
  return (
    <Menu
      align="start"
      className={style}
      entries={() =>
        apps.map((app) => {
          const credits = creditsText(app)
          const { appName } = app
          return {
            kind: 'choice' as const,
            label: t`${appName} · ${credits}`,
            checked: app.appId === current?.appId,
            onSelect: () => void choose(app),
          }
        })
      }
    >
      {face}
    </Menu>
  )
}
