const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const formats = new Map<string, Intl.RelativeTimeFormat>()

/** Making a format costs a hundred times what using it does, and a page has two hundred times. */
function formatOf(locale: string, style: 'narrow' | 'long'): Intl.RelativeTimeFormat {
  const name = `${locale} ${style}`
  const format = formats.get(name) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style })
  formats.set(name, format)
  return format
}

/** "2 h ago", "yesterday", "in 11 months"; under a minute "now". Times are epoch seconds. */
export function relativeText(at: number, now: number, locale: string): string {
  const seconds = at - now
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  const style = unit === 'hour' || unit === 'minute' ? 'narrow' : 'long'
  const format = formatOf(locale, style)
  if (unit === 'second') return format.format(0, 'second')
  return format.format(Math.trunc(seconds / size), unit)
}
