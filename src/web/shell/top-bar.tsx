import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { History, Menu as MenuIcon, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRouteTitle } from '../navigation/route-title.ts'
import { readableKeys } from '../navigation/shortcuts.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { HelpLinks } from './help-links.tsx'
import { activityStore } from './activity-store.ts'
import { ActivityDrawer, CommandPalette, paletteStore } from './overlays.tsx'

interface TopBarProps {
  /** First part of the breadcrumb: the app, or the area. */
  root: ReactNode
  /** Takes the place of the breadcrumb on phones. */
  phoneHeader?: ReactNode
  onOpenNav: () => void
  account: ReactNode
}

export function TopBar({ root, phoneHeader, onOpenNav, account }: TopBarProps) {
  const openPalette = () => paletteStore.set(true)
  return (
    <header
      data-print="no"
      className="sticky top-(--strip) z-40 flex h-12 items-center gap-3.5 border-b border-line bg-surface-0 px-3 md:px-[max(24px,calc((100%-1720px)/2+24px))]"
    >
      <div className="md:hidden">
        <IconButton label={t`Open navigation`} icon={<MenuIcon />} onClick={onOpenNav} />
      </div>
      {phoneHeader ? <div className="flex min-w-0 grow">{phoneHeader}</div> : <Breadcrumb root={root} />}
      <button
        type="button"
        onClick={openPalette}
        onPointerEnter={CommandPalette.preload}
        aria-keyshortcuts="Control+K Meta+K"
        className="flex h-7.5 w-80 shrink items-center gap-2.5 rounded-md border border-line bg-surface-1 px-2.5 text-ui text-text-2 hover:border-line-strong max-lg:w-56 max-md:hidden"
      >
        <Search className="size-4 shrink-0 text-text-3" />
        <span className="min-w-0 grow truncate text-left">{t`Search or jump to`}</span>
        <kbd className="rounded-sm border border-line px-1.5 text-meta text-text-3">{readableKeys('mod+k')}</kbd>
      </button>
      <div className="md:hidden">
        <IconButton label={t`Search or jump to`} icon={<Search />} onClick={openPalette} />
      </div>
      <IconButton
        label={t`Activity`}
        icon={<History />}
        onClick={() => activityStore.set(true)}
        onPointerEnter={ActivityDrawer.preload}
      />
      <div className="flex items-center gap-3.5 max-lg:hidden">
        <HelpLinks />
      </div>
      {account}
    </header>
  )
}

function Breadcrumb({ root }: Pick<TopBarProps, 'root'>) {
  const title = useRouteTitle()
  return (
    <nav aria-label={t`Breadcrumb`} className="min-w-0 grow">
      <ol className="flex min-w-0 items-center gap-2 text-ui text-text-2">
        {root && <li className="truncate max-md:hidden">{root}</li>}
        {root && (
          <li aria-hidden="true" className="text-text-3 max-md:hidden">
            /
          </li>
        )}
        <li aria-current="page" className="truncate font-medium text-text">
          {title ? i18n._(title) : null}
        </li>
      </ol>
    </nav>
  )
}
