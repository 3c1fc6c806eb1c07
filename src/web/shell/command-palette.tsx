import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import {
  CornerDownLeft,
  FileUp,
  History,
  Languages,
  LogOut,
  Moon,
  Search,
  ShieldQuestionMark,
  Trash2,
} from 'lucide-react'
import { type ComponentType, type ReactNode, useCallback, useRef, useState } from 'react'
import { failureText } from '../api/errors.ts'
import { languages } from '#contract/language.ts'
import { setLocale } from '../texts/locale.ts'
import { notify } from '../browser/notify.ts'
import { paletteActionsStore } from '../navigation/palette-actions.ts'
import { paths } from '../navigation/paths.ts'
import { type App, appsQuery, selectApp, signOut } from '../session/session.ts'
import { useAccount } from '../session/use-account.ts'
import { useStore } from '../browser/store.ts'
import { setTheme, type Theme } from '../browser/theme.ts'
import { LiveDot } from '../ui/live-dot.tsx'
import type { NavItem } from './nav-items.tsx'
import { activityStore } from './activity-store.ts'
import { type PaletteFinderProps, PaletteGroup, PaletteItem } from './palette-items.tsx'

interface CommandPaletteProps {
  /** Pages of the current area. */
  pages: readonly NavItem[]
  finder?: ComponentType<PaletteFinderProps> | undefined
  onClose: () => void
}

export function CommandPalette({ pages, finder: Finder, onClose }: CommandPaletteProps) {
  const account = useAccount()
  const navigate = useNavigate()
  const { data: apps = [] } = useQuery({ ...appsQuery, enabled: account.role !== 'reseller' })
  const pageActions = useStore(paletteActionsStore)
  const themes: Record<Theme, string> = {
    dark: t`Dark theme`,
    light: t`Light theme`,
    system: t`Follow the system theme`,
  }

  const item = (label: string, icon: ReactNode, run: () => void, keywords: string[] = []) => (
    <PaletteItem
      key={label}
      label={label}
      icon={icon}
      keywords={keywords}
      onSelect={() => {
        onClose()
        run()
      }}
    />
  )
  const switchTo = async (app: App) => {
    try {
      await selectApp(account, app)
      await navigate({ to: '.', search: {} })
      const { appName } = app
      notify.success(t`Switched to app: ${appName}`)
    } catch (error) {
      notify.error(failureText(error, t`Failed to select app`))
    }
  }

  const [text, setText] = useState('')
  const [chosen, setChosen] = useState('')
  // What is found later is chosen, unless another entry was chosen meanwhile.
  const hasChosen = useRef(false)
  const type = (typed: string) => {
    hasChosen.current = false
    setText(typed)
  }
  const onFound = useCallback(
    (label: string) => {
      if (!hasChosen.current) setChosen(label)
    },
    [setChosen],
  )
  const search = text.trim()
  const explain = (q?: string) => void navigate({ to: paths.why(), search: { q } })

  return (
    <Command.Dialog
      open
      value={chosen}
      onValueChange={setChosen}
      onKeyDown={({ key }) => {
        if (key === 'ArrowDown' || key === 'ArrowUp') hasChosen.current = true
      }}
      onOpenChange={(open) => !open && onClose()}
      label={t`Command palette`}
      overlayClassName="fixed inset-0 z-50 animate-fade bg-[rgb(0_0_0/60%)]"
      contentClassName="fixed inset-x-3 top-3 z-50 mx-auto max-w-[600px] animate-rise overflow-hidden rounded-lg border border-line bg-surface-2 shadow-overlay outline-none md:top-[14vh]"
    >
      <label className="flex items-center gap-3 border-b border-line px-4">
        <Search className="size-4 shrink-0 text-text-3" />
        <Command.Input
          value={text}
          onValueChange={type}
          placeholder={Finder ? t`Paste a key, name, HWID or IP, or go to a page` : t`Go to a page, change the theme`}
          className="h-12 w-full bg-transparent text-section outline-none"
        />
      </label>
      <Command.List label={t`Results`} className="max-h-[min(420px,60dvh)] overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-8 text-center text-ui text-text-2">{t`No results`}</Command.Empty>
        {Finder && <Finder search={search} onFound={onFound} onClose={onClose} />}
        {pageActions.length > 0 && (
          <PaletteGroup heading={t`On this page`}>
            {pageActions.map(({ label, run }) => item(label, <CornerDownLeft />, run))}
          </PaletteGroup>
        )}
        <PaletteGroup heading={t`Go to`}>
          {pages.map(({ to, title, icon }) => item(i18n._(title), icon, () => void navigate({ to })))}
          {item(t`Activity`, <History />, () => activityStore.set(true), ['undo', 'notifications', 'history'])}
          {pages.some(({ to }) => to === paths.licenses()) &&
            item(t`Deleted`, <Trash2 />, () => void navigate({ to: paths.deleted() }), ['restore', 'undo', 'bin'])}
          {pages.some(({ to }) => to === paths.licenses()) &&
            item(t`Import`, <FileUp />, () => void navigate({ to: paths.imports() }), [
              'keyauth',
              'csv',
              'json',
              'migrate',
            ])}
          {pages.some(({ to }) => to === paths.logs()) &&
            item(t`Why was this rejected?`, <ShieldQuestionMark />, () => explain(), ['license', 'user', 'hwid', 'ip'])}
          {search !== '' &&
            pages.some(({ to }) => to === paths.logs()) &&
            item(t`Why was “${search}” rejected?`, <ShieldQuestionMark />, () => explain(search), [search])}
        </PaletteGroup>
        {apps.length > 0 && (
          <PaletteGroup heading={t`Switch app`}>
            {apps.map((app) =>
              item(app.appName, <LiveDot on={app.settings.appStatus} />, () => void switchTo(app), ['app']),
            )}
          </PaletteGroup>
        )}
        <PaletteGroup heading={t`Preferences`}>
          {(Object.keys(themes) as Theme[]).map((theme) =>
            item(themes[theme], <Moon />, () => setTheme(theme), ['theme']),
          )}
          {languages.map(({ code, name }) =>
            item(name, <Languages />, () => void setLocale(code), [t`Language`, 'language']),
          )}
          {item(t`Sign out`, <LogOut />, () => void signOut(), ['logout'])}
        </PaletteGroup>
      </Command.List>
    </Command.Dialog>
  )
}
