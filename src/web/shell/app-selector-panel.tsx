import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Check, LayoutGrid, Plus, Search } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { appVersion } from '../api/app-selection.ts'
import { failureText } from '../api/errors.ts'
import { readApps } from '../api/live-lists.ts'
import { notify } from '../browser/notify.ts'
import { paths } from '../navigation/paths.ts'
import { isChoosingApp, selectApp } from '../session/account-calls.ts'
import { type App, appsQuery } from '../session/session.ts'
import { useAccount, useSelectedApp } from '../session/use-account.ts'
import { Button } from '../ui/button.tsx'
import { LiveDot } from '../ui/live-dot.tsx'
import { AppSelectorFace, appSelectorStyle, narrowSelectorStyle } from './app-selector-face.tsx'

/** The stream of changes tells only of the selected app. */
const countsPollMs = 10_000

function moveBetweenApps(event: KeyboardEvent<HTMLElement>) {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (by === 0) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, [data-app]')]
  const index = stops.indexOf(document.activeElement as HTMLElement)
  stops[Math.min(Math.max(index + by, 0), stops.length - 1)]?.focus()
  event.preventDefault()
}

function AppRow({ app, selected, onSelect }: { app: App; selected: boolean; onSelect: () => void }) {
  const activeSessions = plural(app.activeSessions, { one: '# active session', other: '# active sessions' })
  const version = appVersion(app)
  const status = app.settings.appStatus ? t`Enabled` : t`Disabled`
  return (
    <li>
      <button
        type="button"
        data-app
        aria-current={selected || undefined}
        onClick={onSelect}
        className="flex w-full items-center gap-3 rounded-sm px-2 py-1.5 text-left hover:bg-surface-3 focus-visible:bg-surface-3"
      >
        <LiveDot on={app.settings.appStatus} />
        <span className="min-w-0 grow">
          <span className="block truncate text-ui font-medium text-text">{app.appName}</span>
          <span className="block truncate text-meta text-text-2">{t`${status} · v${version} · ${activeSessions}`}</span>
        </span>
        {selected && <Check className="size-4 shrink-0 text-accent-text" />}
      </button>
    </li>
  )
}

export function AppSelectorPanel({ narrow }: { narrow: boolean }) {
  const account = useAccount()
  const current = useSelectedApp()
  const [open, setOpen] = useState(true)
  const { data: apps = [] } = useQuery(appsQuery)
  const [search, setSearch] = useState('')
  const navigate = useNavigate()
  const found = apps.filter(({ appName }) => appName.toLowerCase().includes(search.trim().toLowerCase()))

  useEffect(() => {
    if (!open) return
    void readApps()
    const timer = setInterval(() => document.visibilityState === 'visible' && void readApps(), countsPollMs)
    return () => clearInterval(timer)
  }, [open])
  const go = (to: string) => {
    setOpen(false)
    void navigate({ to })
  }
  const choose = async (app: App) => {
    setOpen(false)
    if (app.appId === current?.appId && !isChoosingApp()) return
    try {
      if (!(await selectApp(account, app))) return
      // Page, search and dialog in the URL belong to the previous app.
      await navigate({ to: '.', search: {} })
      const { appName } = app
      notify.success(t`Switched to app: ${appName}`)
    } catch (error) {
      notify.error(failureText(error, t`Failed to select app`))
    }
  }

  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className={narrow ? narrowSelectorStyle : appSelectorStyle}>
        <AppSelectorFace narrow={narrow} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={10}
          aria-label={t`Apps`}
          onKeyDown={moveBetweenApps}
          className="z-[55] w-[300px] animate-rise rounded-lg border border-line bg-surface-2 p-1 shadow-overlay outline-none"
        >
          <label className="flex items-center gap-2 border-b border-line px-2 pt-1 pb-2">
            <Search className="size-4 shrink-0 text-text-3" />
            <input
              value={search}
              onChange={(event) => setSearch(event.target.value)}
              onKeyDown={(event) => {
                const [first] = found
                if (event.key === 'Enter' && first) void choose(first)
              }}
              aria-label={t`Search apps`}
              placeholder={t`Search apps`}
              className="h-7 w-full bg-transparent text-ui outline-none"
            />
          </label>
          <ul className="max-h-72 overflow-y-auto py-1">
            {found.map((app) => (
              <AppRow
                key={app.appId}
                app={app}
                selected={app.appId === current?.appId}
                onSelect={() => void choose(app)}
              />
            ))}
            {found.length === 0 && <li className="px-2 py-3 text-center text-ui text-text-2">{t`No apps found`}</li>}
          </ul>
          <div className="grid grid-cols-2 gap-2 border-t border-line p-1.5 pt-2">
            <Button size="sm" icon={<LayoutGrid />} onClick={() => go(paths.manageApps())}>
              {t`Manage Apps`}
            </Button>
            <Button size="sm" icon={<Plus />} onClick={() => go(paths.createApp())}>
              {t`Create New App`}
            </Button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
