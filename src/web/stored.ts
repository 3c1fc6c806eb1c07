/** Local storage that never throws: private windows and full disks only lose the memory. */

export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(`signet.${key}`) ?? undefined
  } catch {
    return undefined
  }
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
