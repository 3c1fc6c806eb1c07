/** What follows changes in the dashboard: its lists, and the variables of users, which only the panel of one shows. */
export const liveSubjects = [
  'licenses',
  'users',
  'user-variables',
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
