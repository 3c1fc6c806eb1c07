/** Local storage that never throws: private windows and full disks only lose the memory. */

export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(`signet.${key}`) ?? undefined
  } catch {
    return undefined
  }
}

const prefix = 'signet.'
/** What belongs to a session. The rest is how this browser was set, and outlasts it. */
const ofSession = new Set(['signed-in', 'signed-in-reseller', 'selected-app'].map((key) => prefix + key))

/** How this browser was set: appearance, language, columns, the remembered login. */
export function readSettings(): [string, string][] {
  try {
    return Object.entries(localStorage).filter(([key]) => key.startsWith(prefix) && !ofSession.has(key))
  } catch {
    return []
  }
}

/** After a reply that may have made the browser clear this origin's storage (R-SES-10): scripts don't see that header. */
export function restoreSettings(settings: readonly [string, string][]) {
  if (readSettings().length > 0) return
  for (const [key, value] of settings) writeStored(key.slice(prefix.length), value)
}

/** `undefined` forgets the key. */
export function writeStored(key: string, value: string | undefined) {
  try {
    if (value === undefined) localStorage.removeItem(`signet.${key}`)
    else localStorage.setItem(`signet.${key}`, value)
  } catch {
    // Nothing to do: the value lives until the page closes.
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
