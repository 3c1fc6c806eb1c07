import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { startIdleLoading } from '../lazy/idle-loading.ts'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { useShortcuts } from '../navigation/shortcuts.ts'
import { removeStartShell } from '../browser/start-shell.ts'
import { useHasRail } from '../browser/use-media.ts'
import { BottomBar } from './bottom-bar.tsx'
import { InsecureNotice } from './insecure-notice.tsx'
import { InShell } from './load-error-page.tsx'
import { preloadChosenRange, useRangeSearch } from './range-links.ts'
import type { NavItem } from './nav-items.tsx'
import { Overlays } from './overlays.tsx'
import type { PaletteFinderProps } from './palette-items.tsx'
import { ServerStrip, useServerNotice } from './server-strip.tsx'
import { TopBar } from './top-bar.tsx'

const NavDrawer = lazyPart(() => import('./nav-drawer.tsx'), 'NavDrawer')

interface ShellFrameProps {
  /** Content of the rail. */
  nav: ReactNode
  crumbRoot: ReactNode
  account: ReactNode
  banner?: ReactNode
  /** Navigation entries of the command palette. */
  pages: readonly NavItem[]
  /** Finds things of the area in the command palette. */
  finder?: ComponentType<PaletteFinderProps> | undefined
  /** The actions of the account, in the activity drawer. */
  activity?: ReactNode
  /** In the top bar of phones, which have no rail. */
  phoneHeader?: ReactNode
  /** Pages of the bottom bar of phones. */
  mainPages?: readonly NavItem[]
  children: ReactNode
}

/** Shortcuts: `g` and the letter of the page. */
function useNavigationShortcuts(pages: readonly NavItem[]) {
  const navigate = useNavigate()
  const rangeSearch = useRangeSearch()
  const group = t`Go to`
  useShortcuts(
    pages.flatMap(({ to, title, key }) => {
      const run = () => void navigate({ to, search: rangeSearch(to) })
      return key ? [{ id: `go-${to}`, keys: `g ${key}`, label: i18n._(title), group, run }] : []
    }),
  )
}

/** Pages of the rail open at once: a key or a tap announces none, as a pointer does. */
function usePreloadedPages(pages: readonly NavItem[]) {
  const router = useRouter()
  useEffect(() => {
    const loadPages = pages.map(
      ({ to }) =>
        () =>
          router.routesByPath[to]?.options.component?.preload?.(),
    )
    startIdleLoading([preloadChosenRange, ...loadPages])
    // oxlint-disable-next-line react/exhaustive-deps -- once
  }, [])
}

/** Rail, top bar and page: the frame of the owner, admin and reseller areas. */
export function ShellFrame(props: ShellFrameProps) {
  const { nav, crumbRoot, account, banner, pages, finder, activity, phoneHeader, mainPages, children } = props
  const hasRail = useHasRail()
  useNavigationShortcuts(pages)
  const [drawerOpen, setDrawerOpen] = useState(false)
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const openNav = () => setDrawerOpen(true)
  const closeNav = () => setDrawerOpen(false)
  useEffect(() => setDrawerOpen(false), [pathname])
  usePreloadedPages(pages)
  useLayoutEffect(removeStartShell, [])
  const notice = useServerNotice()
  const strip = notice ? 'pt-(--strip) [--strip:52px] md:[--strip:36px]' : '[--strip:0px]'
  return (
    <div className={`min-h-dvh md:grid md:grid-cols-[232px_minmax(0,1fr)] ${strip}`}>
      <ServerStrip notice={notice} />
      <a
        href="#content"
        className="fixed top-2 left-2 z-[80] -translate-y-20 rounded-md bg-accent px-3 py-2 text-ui font-semibold text-on-accent focus:translate-y-0"
      >
        {t`Skip to content`}
      </a>
      {hasRail && (
        <aside
          aria-label={t`Sidebar`}
          className="sticky top-(--strip) h-[calc(100dvh-var(--strip))] overflow-y-auto border-r border-line"
        >
          {nav}
        </aside>
      )}
      {!hasRail && drawerOpen && (
        <NavDrawer onClose={closeNav} onFailed={closeNav} onReopen={openNav}>
          {nav}
        </NavDrawer>
      )}
      <div className="min-w-0">
        <TopBar root={crumbRoot} phoneHeader={!hasRail && phoneHeader} onOpenNav={openNav} account={account} />
        <InsecureNotice />
        {banner}
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto max-w-[1720px] px-4 pt-3 pb-[calc(40px+var(--bottom-bar))] outline-none md:px-6 md:pt-5"
        >
          <InShell value>{children}</InShell>
        </main>
      </div>
      {!hasRail && mainPages && <BottomBar items={mainPages} onMore={openNav} />}
      <Overlays pages={pages} finder={finder} activity={activity} />
    </div>
  )
}
