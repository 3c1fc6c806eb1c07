/** Tables of the dashboard, by the ID under which arrangements and saved views are stored. */
export const tableIds = [
  'admin-audit',
  'admin-jobs',
  'admin-owners',
  'alerts',
  'apps',
  'audit',
  'credit-history',
  'deleted',
  'downloads',
  'licenses',
  'logs',
  'reseller-licenses',
  'reseller-users',
  'resellers',
  'seller-keys',
  'sessions',
  'subscriptions',
  'users',
  'variables',
  'webhooks',
] as const

export type TableId = (typeof tableIds)[number]
