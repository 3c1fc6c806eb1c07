import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { CornerDownLeft, FileUp, History, Keyboard, Search, ShieldQuestionMark, Trash2 } from 'lucide-react'
import { useStore } from '../browser/store.ts'
import { paletteActionsStore } from '../navigation/palette-actions.ts'
import { paths } from '../navigation/paths.ts'
import { listShortcuts } from '../navigation/shortcuts.ts'
import { activityStore } from './activity-store.ts'
import { useRangeSearch } from './range-links.ts'
import type { NavItem } from './nav-items.tsx'
import { PaletteGroup, PaletteItem } from './palette-items.tsx'

interface PalettePagesProps {
  pages: readonly NavItem[]
  search: string
  onClose: () => void
}

/** What the page that is open offers. */
export function PagePaletteActions({ onClose }: Pick<PalettePagesProps, 'onClose'>) {
  const actions = useStore(paletteActionsStore)
  if (actions.length === 0) return null
  return (
    <PaletteGroup heading={t`On this page`}>
      {actions.map(({ label, shortcut, run }) => (
        <PaletteItem
          key={label}
          label={label}
          icon={<CornerDownLeft />}
          shortcut={shortcut}
          onSelect={() => {
            onClose()
            run()
          }}
        />
      ))}
    </PaletteGroup>
  )
}

/** Pages of the area, and what opens over any of them. */
export function PalettePages({ pages, search, onClose }: PalettePagesProps) {
  const navigate = useNavigate()
  const rangeSearch = useRangeSearch()
  const closing = (run: () => void) => () => {
    onClose()
    run()
  }
  const has = (path: string) => pages.some(({ to }) => to === path)
  const explain = (q?: string) => closing(() => void navigate({ to: paths.why(), search: { q } }))
  return (
    <PaletteGroup heading={t`Go to`}>
      {pages.map(({ to, title, icon }) => (
        <PaletteItem
          key={to}
          label={i18n._(title)}
          icon={icon}
          shortcut={`go-${to}`}
          onSelect={closing(() => void navigate({ to, search: rangeSearch(to) }))}
        />
      ))}
      <PaletteItem
        label={t`Activity`}
        icon={<History />}
        keywords={['undo', 'notifications', 'history']}
        shortcut="activity"
        onSelect={closing(() => activityStore.set(true))}
      />
      {has(paths.licenses()) && (
        <PaletteItem
          label={t`Deleted`}
          icon={<Trash2 />}
          keywords={['restore', 'undo', 'bin']}
          onSelect={closing(() => void navigate({ to: paths.deleted() }))}
        />
      )}
      {has(paths.licenses()) && (
        <PaletteItem
          label={t`Import`}
          icon={<FileUp />}
          keywords={['keyauth', 'csv', 'json', 'migrate']}
          onSelect={closing(() => void navigate({ to: paths.imports() }))}
        />
      )}
      {has(paths.logs()) && (
        <PaletteItem
          label={t`Why was this rejected?`}
          icon={<ShieldQuestionMark />}
          keywords={['license', 'user', 'hwid', 'ip']}
          onSelect={explain()}
        />
      )}
      {search !== '' && has(paths.logs()) && (
        <PaletteItem
          label={t`Why was “${search}” rejected?`}
          icon={<ShieldQuestionMark />}
          keywords={[search]}
          onSelect={explain(search)}
        />
      )}
      {search !== '' && has(paths.adminOwners()) && (
        <PaletteItem
          label={t`Search owners for “${search}”`}
          icon={<Search />}
          keywords={[search]}
          onSelect={closing(() => void navigate({ to: paths.adminOwners(), search: { q: search } }))}
        />
      )}
      <PaletteItem
        label={t`Keyboard shortcuts`}
        icon={<Keyboard />}
        keywords={['keys', 'help']}
        shortcut="shortcuts"
        onSelect={closing(() => run('shortcuts'))}
      />
    </PaletteGroup>
  )
}

function run(id: string): void {
  listShortcuts()
    .find((shortcut) => shortcut.id === id)
    ?.run(new KeyboardEvent('keydown'))
}
