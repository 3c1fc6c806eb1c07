import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { Activity, CreditCard, FileClock, Keyboard, LayoutGrid, LogOut, UserRound } from 'lucide-react'
import { languages } from '#contract/language.ts'
import { localeStore, setLocale } from '../browser/locale.ts'
import { paths, planSection } from '../navigation/paths.ts'
import { signOut } from '../session/session.ts'
import { useAccount } from '../session/use-account.ts'
import { useStore } from '../browser/store.ts'
import { setTheme, type Theme, themeStore } from '../browser/theme.ts'
import { Menu } from '../ui/menu.tsx'
import type { MenuEntry } from '../ui/menu-entry.ts'
import { useMedia } from '../browser/use-media.ts'
import { helpEntries } from './help-links.tsx'
import { sheetStore } from './overlays.tsx'

function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = words.length > 1 ? [words[0]?.[0], words.at(-1)?.[0]] : [...(words[0] ?? '')].slice(0, 2)
  return letters.join('').toUpperCase()
}

export function AccountMenu() {
  const account = useAccount()
  const theme = useStore(themeStore)
  const locale = useStore(localeStore)
  const navigate = useNavigate()
  // Shown in the top bar instead.
  const isWide = useMedia('(width >= 64rem)')
  const letters = initials(account.displayName || account.username)
  const themes: Record<Theme, string> = { dark: t`Dark`, light: t`Light`, system: t`System` }

  const profile = { label: t`Profile`, icon: <UserRound /> }
  const pages = (): MenuEntry[] =>
    account.role === 'reseller'
      ? [{ ...profile, onSelect: () => void navigate({ to: paths.resellerProfile() }) }]
      : [
          { label: t`Audit`, icon: <FileClock />, onSelect: () => void navigate({ to: paths.audit() }) },
          {
            label: t`Plan`,
            icon: <CreditCard />,
            onSelect: () => void navigate({ to: paths.profile(), hash: planSection }),
          },
          { ...profile, onSelect: () => void navigate({ to: paths.profile() }) },
          { label: t`Apps`, icon: <LayoutGrid />, onSelect: () => void navigate({ to: paths.manageApps() }) },
        ]
  const entries = (): MenuEntry[] => [
    ...pages(),
    { label: t`System status`, icon: <Activity />, onSelect: () => void navigate({ to: paths.status() }) },
    { label: t`Keyboard shortcuts`, icon: <Keyboard />, shortcut: '?', onSelect: () => sheetStore.set(true) },
    { kind: 'separator' },
    { kind: 'heading', label: t`Theme` },
    ...(Object.keys(themes) as Theme[]).map((value): MenuEntry => {
      return { kind: 'choice', label: themes[value], checked: value === theme, onSelect: () => setTheme(value) }
    }),
    { kind: 'heading', label: t`Language` },
    ...languages.map(({ code, name }): MenuEntry => {
      const onSelect = () => void setLocale(code)
      return { kind: 'choice', label: name, checked: code === locale, onSelect }
    }),
    { kind: 'separator' },
    ...(isWide ? [] : helpEntries()),
    { label: t`Sign out`, icon: <LogOut />, onSelect: () => void signOut() },
  ]
  return (
    <Menu
      label={t`${letters}, account of ${account.username}`}
      entries={entries}
      header={
        <>
          <p className="truncate text-ui font-semibold text-text">{account.displayName}</p>
          <p className="truncate text-meta text-text-2">{account.email}</p>
        </>
      }
      className="group flex shrink-0 items-center justify-center rounded-full pointer-coarse:size-11"
    >
      <span className="flex size-[26px] items-center justify-center rounded-full bg-surface-3 text-[11px] font-semibold text-text group-hover:bg-line">
        {letters}
      </span>
    </Menu>
  )
}
