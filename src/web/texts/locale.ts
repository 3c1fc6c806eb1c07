import { i18n, type Messages } from '@lingui/core'
import type { Language } from '#contract/language.ts'
import { createStore } from '../browser/store.ts'
import { readStored, writeStored } from '../browser/stored.ts'

export type Locale = Language

export const localeNames: Record<Locale, string> = { en: 'English', 'pt-BR': 'Português' }

const isLocale = (value: string | undefined): value is Locale => value === 'en' || value === 'pt-BR'

export const localeStore = createStore<Locale>('en')

/** English is compiled into the code of each page; every other language is one lazy chunk. */
async function loadMessages(locale: Locale): Promise<Messages> {
  if (locale === 'pt-BR') return (await import('../locales/pt-BR.po')).messages
  return {}
}

async function activate(locale: Locale) {
  i18n.loadAndActivate({ locale, messages: await loadMessages(locale) })
  document.documentElement.lang = locale
  localeStore.set(locale)
}

export async function setLocale(locale: Locale) {
  writeStored('locale', locale)
  await activate(locale)
}

/** The language chosen before, else the browser's. */
export async function startLocale() {
  const stored = readStored('locale')
  const preferred: Locale = navigator.language.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en'
  try {
    await activate(isLocale(stored) ? stored : preferred)
  } catch {
    await activate('en')
  }
}
