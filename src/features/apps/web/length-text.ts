const units: [unit: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** A whole length of time, not only its largest unit: 5,400 s is "1 hour, 30 minutes". */
export function lengthText(seconds: number, locale: string): string {
  let left = Math.max(Math.trunc(seconds), 0)
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count))
  }
  return new Intl.ListFormat(locale, { type: 'unit', style: 'long' }).format(parts)
}
