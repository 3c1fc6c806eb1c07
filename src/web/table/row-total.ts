/** A number of rows; with `isMore`, there are more than were counted. */
export interface RowTotal {
  count: number
  isMore?: boolean
}

/** `312`, or `10,000+`. */
export function totalText(total: number | RowTotal): string {
  const { count, isMore = false } = typeof total === 'number' ? { count: total } : total
  return `${count.toLocaleString(document.documentElement.lang || 'en')}${isMore ? '+' : ''}`
}
