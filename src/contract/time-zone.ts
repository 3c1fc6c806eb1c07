/** The longest name of the IANA database has 32 characters. */
export const maxTimeZoneLength = 64

const ianaName = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)*$/

/**
 * Whether this is the name of a zone in the IANA database, as far as the engine knows it. Offsets (`+03:00`), which
 * `Intl` takes too, are none: they know no daylight saving time.
 */
export function isTimeZone(name: string): boolean {
  if (name.length > maxTimeZoneLength || !ianaName.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
