import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { CornerDownLeft, Languages, LogOut, Moon, Search, ShieldQuestionMark } from 'lucide-react'
import { type ReactNode, useState } from 'react'
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

const itemStyle = [
  'flex min-h-9 cursor-default items-center gap-3 rounded-sm px-2.5 text-ui text-text pointer-coarse:min-h-11',
  'data-[selected=true]:bg-surface-3 [&_svg]:size-4 [&_svg]:text-text-2',
].join(' ')
const groupStyle =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-text-3'

interface CommandPaletteProps {
  /** Pages of the current area. */
  pages: readonly NavItem[]
  onClose: () => void
}

export function CommandPalette({ pages, onClose }: CommandPaletteProps) {
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
    <Command.Item
      key={label}
      value={label}
      keywords={keywords}
      className={itemStyle}
      onSelect={() => {
        onClose()
        run()
      }}
    >
      {icon}
      {label}
    </Command.Item>
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
  const search = text.trim()
  const explain = (q?: string) => void navigate({ to: paths.why(), search: { q } })

  return (
    <Command.Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      label={t`Command palette`}
      overlayClassName="fixed inset-0 z-50 animate-fade bg-[rgb(0_0_0/60%)]"
      contentClassName="fixed inset-x-3 top-3 z-50 mx-auto max-w-[600px] animate-rise overflow-hidden rounded-lg border border-line bg-surface-2 shadow-overlay outline-none md:top-[14vh]"
    >
      <label className="flex items-center gap-3 border-b border-line px-4">
        <Search className="size-4 shrink-0 text-text-3" />
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder={t`Go to a page, switch app, change the theme`}
          className="h-12 w-full bg-transparent text-section outline-none"
        />
      </label>
      <Command.List label={t`Results`} className="max-h-[min(420px,60dvh)] overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-8 text-center text-ui text-text-2">{t`No results`}</Command.Empty>
        {pageActions.length > 0 && (
          <Command.Group heading={t`On this page`} className={groupStyle}>
            {pageActions.map(({ label, run }) => item(label, <CornerDownLeft />, run))}
          </Command.Group>
        )}
        <Command.Group heading={t`Go to`} className={groupStyle}>
          {pages.map(({ to, title, icon }) => item(i18n._(title), icon, () => void navigate({ to })))}
          {pages.some(({ to }) => to === paths.logs()) &&
            item(t`Why was this rejected?`, <ShieldQuestionMark />, () => explain(), ['license', 'user', 'hwid', 'ip'])}
          {search !== '' &&
            pages.some(({ to }) => to === paths.logs()) &&
            item(t`Why was “${search}” rejected?`, <ShieldQuestionMark />, () => explain(search), [search])}
        </Command.Group>
        {apps.length > 0 && (
          <Command.Group heading={t`Switch app`} className={groupStyle}>
            {apps.map((app) =>
              item(app.appName, <LiveDot on={app.settings.appStatus} />, () => void switchTo(app), ['app']),
            )}
          </Command.Group>
        )}
        <Command.Group heading={t`Preferences`} className={groupStyle}>
          {(Object.keys(themes) as Theme[]).map((theme) =>
            item(themes[theme], <Moon />, () => setTheme(theme), ['theme']),
          )}
          {languages.map(({ code, name }) =>
            item(name, <Languages />, () => void setLocale(code), [t`Language`, 'language']),
          )}
          {item(t`Sign out`, <LogOut />, () => void signOut(), ['logout'])}
        </Command.Group>
      </Command.List>
    </Command.Dialog>
  )
}
