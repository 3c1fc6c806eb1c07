import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Languages, LogOut, Moon } from 'lucide-react'
import { languages } from '#contract/language.ts'
import { failureText } from '../api/errors.ts'
import { notify } from '../browser/notify.ts'
import { setTheme, type Theme } from '../browser/theme.ts'
import { selectApp } from '../session/account-calls.ts'
import { type App, appsQuery, signOut } from '../session/session.ts'
import { useAccount } from '../session/use-account.ts'
import { setLocale } from '../browser/locale.ts'
import { LiveDot } from '../ui/live-dot.tsx'
import { PaletteGroup, PaletteItem } from './palette-items.tsx'

interface GroupProps {
  onClose: () => void
}

/** The apps of the account, to select another one. */
export function PaletteApps({ onClose }: GroupProps) {
  const account = useAccount()
  const navigate = useNavigate()
  const { data: apps = [] } = useQuery({ ...appsQuery, enabled: account.role !== 'reseller' })
  const switchTo = async (app: App) => {
    try {
      if (!(await selectApp(account, app))) return
      await navigate({ to: '.', search: {} })
      const { appName } = app
      notify.success(t`Switched to app: ${appName}`)
    } catch (error) {
      notify.error(failureText(error, t`Failed to select app`))
    }
  }
  if (apps.length === 0) return null
  return (
    <PaletteGroup heading={t`Switch app`}>
      {apps.map((app) => (
        <PaletteItem
          key={app.appId}
          label={app.appName}
          icon={<LiveDot on={app.settings.appStatus} />}
          keywords={['app']}
          onSelect={() => {
            onClose()
            void switchTo(app)
          }}
        />
      ))}
    </PaletteGroup>
  )
}

/** Theme, language, and signing out. */
export function PalettePreferences({ onClose }: GroupProps) {
  const themes: Record<Theme, string> = {
    dark: t`Dark theme`,
    light: t`Light theme`,
    system: t`Follow the system theme`,
  }
  const closing = (run: () => void) => () => {
    onClose()
    run()
  }
  return (
    <PaletteGroup heading={t`Preferences`}>
      {(Object.keys(themes) as Theme[]).map((theme) => (
        <PaletteItem
          key={theme}
          label={themes[theme]}
          icon={<Moon />}
          keywords={['theme']}
          onSelect={closing(() => setTheme(theme))}
        />
      ))}
      {languages.map(({ code, name }) => (
        <PaletteItem
          key={code}
          label={name}
          icon={<Languages />}
          keywords={[t`Language`, 'language']}
          onSelect={closing(() => void setLocale(code))}
        />
      ))}
      <PaletteItem
        label={t`Sign out`}
        icon={<LogOut />}
        keywords={['logout']}
        onSelect={closing(() => void signOut())}
      />
    </PaletteGroup>
  )
}
