/** Lists of the dashboard that follow changes. */
export const liveSubjects = [
  'licenses',
  'users',
  'sessions',
  'alerts',
  'subscriptions',
  'variables',
  'files',
  'webhooks',
  'seller-keys',
  'bin',
  'resellers',
  'apps',
] as const
export type LiveSubject = (typeof liveSubjects)[number]

/** Those that belong to an account and not to one app; the stream of each app of the account tells of them. */
export type AccountSubject = 'resellers' | 'apps'
