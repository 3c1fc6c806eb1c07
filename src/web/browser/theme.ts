import { createStore } from './store.ts'
import { readStored, writeStored } from './stored.ts'

export type Theme = 'dark' | 'light' | 'system'

const isTheme = (value: string | undefined): value is Theme =>
  value === 'dark' || value === 'light' || value === 'system'

const stored = readStored('theme')

export const themeStore = createStore<Theme>(isTheme(stored) ? stored : 'dark')

/** The style sheet does the rest: `light-dark()` follows `color-scheme`, which follows `data-theme`. */
export function setTheme(theme: Theme) {
  writeStored('theme', theme)
  document.documentElement.dataset.theme = theme
  themeStore.set(theme)
}
