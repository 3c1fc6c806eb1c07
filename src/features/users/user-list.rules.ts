// What lists and exports show of a user, apart from the rules of forms, which bring those of accounts.

/** What the list of users sorts by; each has an index. */
export const userSorts = ['username', 'timeLeft', 'created', 'lastLogin'] as const

export type UserStatus = 'Banned' | 'Paused' | 'Active' | 'Expired'

/** In this order of precedence: Banned, Paused, Active, Expired. */
export function userStatus(user: { banned: boolean; paused: boolean; hasActiveSubscription: boolean }): UserStatus {
  if (user.banned) return 'Banned'
  if (user.paused) return 'Paused'
  return user.hasActiveSubscription ? 'Active' : 'Expired'
}

/** Columns of an exported file, in its order. */
export const userExportColumns = [
  'username',
  'email',
  'status',
  'subscriptions',
  'hwid',
  'ip',
  'created',
  'lastLogin',
] as const

export type UserExportColumn = (typeof userExportColumns)[number]

/** Only the start of a machine's hash is shown and searched: enough to tell machines apart. */
export const fingerprintLength = 12

/** The fingerprint in a text that holds it or more of the machine's hash; undefined in any other text. */
export const fingerprintIn = (text: string): string | undefined =>
  /^[\w-]{12,43}$/.test(text) ? text.slice(0, fingerprintLength) : undefined
