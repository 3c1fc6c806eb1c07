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
] as const
export type LiveSubject = (typeof liveSubjects)[number]
