import { plural } from '@lingui/core/macro'

const counted = /^(\d+) (license|user|seller key|alert|log|webhook|variable|session|item)s?$/

/**
 * Targets of an action on many rows are stored as their number and an English noun, such as `4 licenses`. Undefined for
 * the name of a single one.
 */
export function countedTargetText(target: string): string | undefined {
  const [, digits, noun] = counted.exec(target) ?? []
  const count = Number(digits)
  if (noun === 'license') return plural(count, { one: '# license', other: '# licenses' })
  if (noun === 'user') return plural(count, { one: '# user', other: '# users' })
  if (noun === 'seller key') return plural(count, { one: '# seller key', other: '# seller keys' })
  if (noun === 'alert') return plural(count, { one: '# alert', other: '# alerts' })
  if (noun === 'log') return plural(count, { one: '# log entry', other: '# log entries' })
  if (noun === 'webhook') return plural(count, { one: '# webhook', other: '# webhooks' })
  if (noun === 'variable') return plural(count, { one: '# variable', other: '# variables' })
  if (noun === 'session') return plural(count, { one: '# session', other: '# sessions' })
  if (noun === 'item') return plural(count, { one: '# item', other: '# items' })
  return undefined
}
