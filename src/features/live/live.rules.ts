import type { LiveSubject } from '#contract/live.ts'

const ofLicenses = ['licenses', 'users', 'sessions'] as const

/** By the part of an event name before the period. */
const byKind: Readonly<Record<string, readonly LiveSubject[]>> = {
  license: ofLicenses,
  user: ofLicenses,
  session: ['sessions'],
  subscription: ['licenses', 'users', 'subscriptions'],
  variable: ['variables'],
  download: ['files'],
  webhook: ['webhooks'],
  'seller-key': ['seller-keys'],
  import: [...ofLicenses, 'bin'],
  bin: [...ofLicenses, 'variables', 'files', 'webhooks', 'subscriptions', 'bin'],
  reseller: ['licenses'],
  alert: ['alerts'],
}

/** Events that change less than others of their kind. Programs cause some of them often. */
const byEvent: Readonly<Record<string, readonly LiveSubject[]>> = {
  'license.create': ['licenses'],
  // Another duration or level changes its user's time.
  'license.update': ['licenses', 'users'],
  'user.create': ['users'],
  'user.login-failed': [],
  'user.request-reset': [],
  'user.create-variable': ['user-variables'],
  'user.update-variable': ['user-variables'],
  'user.delete-variable': ['user-variables'],
  'reseller.login': [],
  'reseller.login-failed': [],
  'alert.threshold': [],
  // Levels that it creates have their own event.
  'import.start': [],
}

/** Of the kinds that lie in the bin once they are deleted. */
const binned = /^(license|user|variable|download|webhook|subscription)\.(bulk-)?delete(?!-variable)/

/** What an event of an app (audit-events.ts and others) changes; undoing an action changes what the action did. */
export function subjectsOf(event: string): readonly LiveSubject[] {
  const known = byEvent[event.replace(/\.undo$/, '')] ?? byKind[event.slice(0, event.indexOf('.'))] ?? []
  return binned.test(event) && known.length > 0 ? [...known, 'bin'] : known
}
