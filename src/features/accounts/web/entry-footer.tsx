import { t } from '@lingui/core/macro'
import { type Locale, localeNames, localeStore, setLocale } from '#web/locale.ts'
import { useStore } from '#web/store.ts'
import { setTheme, type Theme, themeStore } from '#web/theme.ts'

const select =
  'h-7 rounded-md border border-transparent bg-transparent px-1 text-meta text-text-2 hover:border-line hover:text-text pointer-coarse:h-11'

/** Language and theme for people who have no account menu yet. */
export function EntryFooter() {
  const locale = useStore(localeStore)
  const theme = useStore(themeStore)
  return (
    <footer className="-mx-1 flex gap-2">
      <select
        aria-label={t`Language`}
        value={locale}
        onChange={(event) => void setLocale(event.target.value as Locale)}
        className={select}
      >
        {Object.entries(localeNames).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={t`Theme`}
        value={theme}
        onChange={(event) => setTheme(event.target.value as Theme)}
        className={select}
      >
        <option value="dark">{t`Dark`}</option>
        <option value="light">{t`Light`}</option>
        <option value="system">{t`System`}</option>
      </select>
    </footer>
  )
}
