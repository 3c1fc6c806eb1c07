/** Local storage that never throws: in private windows and on full disks, values are just not remembered. */

export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(`signet.${key}`) ?? undefined
  } catch {
    return undefined
  }
}

/** What an account opened last; it may name keys of customers. */
export const recentThingsKey = 'recent-things'
/** The app whose first steps are shown; `public/start.js` asks for them with the page. */
export const firstStepsKey = 'first-steps'

const prefix = 'signet.'
/** Values that belong to a session. All others are settings of this browser and outlast the session. */
const ofSession = new Set(
  ['signed-in', 'signed-in-reseller', 'selected-app', recentThingsKey, firstStepsKey].map((key) => prefix + key),
)

/** Settings of this browser: appearance, language, columns, the remembered login. */
export function readSettings(): [string, string][] {
  try {
    return Object.entries(localStorage).filter(([key]) => key.startsWith(prefix) && !ofSession.has(key))
  } catch {
    return []
  }
}

/**
 * Called after a reply that may have made the browser clear this origin's storage (R-SES-10), a header that scripts
 * cannot see.
 */
export function restoreSettings(settings: readonly [string, string][]) {
  if (readSettings().length > 0) return
  for (const [key, value] of settings) writeStored(key.slice(prefix.length), value)
}

/**
 * Removes the values of a session. Which accounts are signed in stays: the other area of the browser may be. Over plain
 * HTTP, browsers don't do it themselves.
 */
export function forgetSessionValues() {
  for (const key of ofSession)
    if (!key.startsWith(`${prefix}signed-in`)) writeStored(key.slice(prefix.length), undefined)
}

/** `undefined` removes the key. */
export function writeStored(key: string, value: string | undefined) {
  try {
    if (value === undefined) localStorage.removeItem(`signet.${key}`)
    else localStorage.setItem(`signet.${key}`, value)
  } catch {
    // Ignored: the value lasts until the page is closed.
  }
}

export function readStoredJson<T>(key: string, fallback: T): T {
  const text = readStored(key)
  if (text === undefined) return fallback
  try {
    return JSON.parse(text) as T
  } catch {
    return fallback
  }
}
