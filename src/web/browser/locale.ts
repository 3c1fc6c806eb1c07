import { i18n, type Messages } from '@lingui/core'
import { acceptedLanguage, isLanguage, type Language, languageData } from '#contract/language.ts'
import { createStore } from './store.ts'
import { readStored, writeStored } from './stored.ts'

export const localeStore = createStore<Language>('en')

/** English is compiled into the code of each page; every other language is one lazy chunk. */
const catalogs = import.meta.glob<Messages>(['../locales/*.po', '!../locales/en.po'], { import: 'messages' })

async function activate(locale: Language) {
  const messages = (await catalogs[`../locales/${locale}.po`]?.()) ?? {}
  i18n.loadAndActivate({ locale, messages })
  document.documentElement.lang = locale
  document.documentElement.dir = languageData(locale).direction
  localeStore.set(locale)
}

export async function setLocale(locale: Language) {
  writeStored('locale', locale)
  await activate(locale)
}

/** The stored language, otherwise the first supported language of the browser. */
export async function startLocale() {
  const stored = readStored('locale')
  try {
    await activate(isLanguage(stored) ? stored : (acceptedLanguage(navigator.languages.join(',')) ?? 'en'))
  } catch {
    await activate('en')
  }
}
