interface ClockTime {
  hour: 'numeric' | '2-digit'
  minute: '2-digit'
}

const known = new Map<string, ClockTime>()

/**
 * The time of day as an option of `Intl.DateTimeFormat`. The hours of a 24-hour clock have two digits: without this,
 * Portuguese has 2:05 beside 02:05.
 */
export function clockTime(locale: string): ClockTime {
  const made = known.get(locale) ?? { hour: hasTwoDigits(locale) ? '2-digit' : 'numeric', minute: '2-digit' }
  known.set(locale, made)
  return made
}

const hasTwoDigits = (locale: string): boolean =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hourCycle === 'h23'
