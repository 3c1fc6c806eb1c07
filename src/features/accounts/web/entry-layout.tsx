import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { brand } from '#web/browser/brand.ts'
import { type Language, languages } from '#contract/language.ts'
import { localeStore, setLocale } from '#web/browser/locale.ts'
import { platformName } from '#web/browser/platform-name.ts'
import { InsecureNotice } from '#web/shell/insecure-notice.tsx'
import { useStore } from '#web/browser/store.ts'
import { setTheme, type Theme, themeStore } from '#web/browser/theme.ts'

interface EntryLayoutProps {
  title: string
  description: ReactNode
  children: ReactNode
}

/** Layout of the screens before sign-in: the form on the left, a wall of sample keys on the right. */
export function EntryLayout({ title, description, children }: EntryLayoutProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <InsecureNotice />
      <div className="grid grow lg:grid-cols-[minmax(420px,5fr)_7fr]">
        <div className="flex flex-col px-6 py-8 sm:px-12">
          <header>
            <SignetMark />
          </header>
          <main id="content" className="mx-auto flex w-full max-w-[360px] grow flex-col justify-center py-10">
            <h1 tabIndex={-1} className="text-[24px] leading-8 font-semibold tracking-[-0.015em]">
              {title}
            </h1>
            <p className="mt-1.5 mb-6 text-ui wrap-anywhere text-text-2">{description}</p>
            {children}
          </main>
          <EntryFooter />
        </div>
        <KeyGrid />
      </div>
    </div>
  )
}

/** If the logo cannot be loaded, only the name is shown. */
function BrandMark({ name, logo }: { name: string; logo: string }) {
  return (
    <span translate="no" className="inline-flex items-center gap-2.5 text-section font-semibold tracking-[-0.01em]">
      {logo && <img src={logo} alt="" referrerPolicy="no-referrer" className="h-6 max-w-32 object-contain" />}
      {name}
    </span>
  )
}

export function SignetMark() {
  if (brand) return <BrandMark {...brand} />
  return (
    <span className="inline-flex items-center gap-2.5 text-section font-semibold tracking-[-0.01em]">
      <svg viewBox="0 0 24 24" className="size-6 text-accent-text" fill="none" stroke="currentColor" aria-hidden="true">
        <path d="M12 2.2 20.5 7.100v9.800L12 21.8 3.5 16.900V7.100z" strokeWidth="1.6" strokeLinejoin="round" />
        <path
          d="M15.2 9.300c-.7-.9-1.9-1.3-3.3-1.3-1.8 0-3 .8-3 2 0 2.9 6.2 1.1 6.2 3.9 0 1.3-1.3 2.1-3.1 2.1-1.5 0-2.7-.5-3.4-1.4"
          strokeWidth="1.6"
          strokeLinecap="round"
        />
      </svg>
      <span translate="no">{platformName}</span>
    </span>
  )
}

const select =
  'h-7 rounded-md border border-transparent bg-transparent px-1 text-meta text-text-2 hover:border-line hover:text-text pointer-coarse:h-11'

/** Language and theme, because there is no account menu before sign-in. */
function EntryFooter() {
  const locale = useStore(localeStore)
  const theme = useStore(themeStore)
  return (
    <footer className="-mx-1 flex gap-2">
      <select
        aria-label={t`Language`}
        value={locale}
        onChange={(event) => void setLocale(event.target.value as Language)}
        className={select}
      >
        {languages.map(({ code, name }) => (
          <option key={code} value={code}>
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

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** The same keys on each visit, because a decoration should not change when somebody returns. */
function sampleGroups(count: number): string[] {
  let state = 7
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return alphabet[Math.floor(state / 65536) % alphabet.length] ?? 'A'
  }
  return Array.from({ length: count }, () => next() + next() + next() + next())
}

const columns = 8
const groups = sampleGroups(columns * 22)

// A few groups light up in turn, like redeemed keys. Prime steps avoid a visible pattern.
const lit = ['key-lit', 'key-lit key-lit-2', 'key-lit key-lit-3', 'key-lit key-lit-4', 'key-lit key-lit-5']

const glowOf = (index: number) => (index % 29 === 11 ? lit[Math.floor(index / 29) % lit.length] : '')

function KeyGrid() {
  return (
    <div aria-hidden="true" className="relative overflow-hidden border-l border-line bg-surface-1 max-lg:hidden">
      <div className="key-grid absolute inset-0 grid select-none grid-cols-8 content-center gap-x-6 gap-y-4 px-10">
        {groups.map((group, index) => (
          // As CSS-generated content, the letters cannot be read aloud, selected or searched.
          <span key={index} data-key={group} className={`machine text-center ${glowOf(index)}`} />
        ))}
      </div>
    </div>
  )
}
