/** The longest name in the IANA database has 32 characters. */
export const maxTimeZoneLength = 64

const ianaName = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)*$/

/**
 * Whether the name is an IANA time zone known to the engine. Offsets (`+03:00`), which `Intl` also accepts, are
 * rejected because they have no daylight saving time.
 */
export function isTimeZone(name: string): boolean {
  if (name.length > maxTimeZoneLength || !ianaName.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
