/** `21 Dec 2026, 14:05` in the reader's way; times are epoch seconds. */
export function dateText(at: number): string {
  const format = new Intl.DateTimeFormat(document.documentElement.lang || 'en', {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  return format.format(new Date(at * 1000))
}
