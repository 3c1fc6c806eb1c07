import type { ClientCode } from './client-api.errors.ts'

export interface EntitlementState {
  level: number
  name: string
  /** Epoch seconds; null never ends. */
  expires_at: number | null
  level_active: number
  license_banned: number
}

export interface Access<E extends EntitlementState = EntitlementState> {
  /** Subscriptions that currently grant access. */
  subscriptions: E[]
  /** When the last of them expires; null for never. */
  until: number | null
}

/**
 * Whether a user may run the program now, and the reason if not: the most specific one first, so that a banned license
 * is not reported as an expired one.
 */
export function accessOf<E extends EntitlementState>(
  user: { banned: number; paused: number },
  entitlements: readonly E[],
  now: number,
): Access<E> | ClientCode {
  if (user.banned === 1) return 'USER_BANNED'
  if (user.paused === 1) return 'USER_PAUSED'
  const allowed = entitlements.filter((each) => each.license_banned === 0)
  const active = allowed.filter((each) => each.level_active === 1)
  const running = active.filter((each) => each.expires_at === null || each.expires_at > now)
  if (running.length > 0) {
    const ends = running.map((each) => each.expires_at)
    return { subscriptions: running, until: ends.includes(null) ? null : Math.max(...(ends as number[])) }
  }
  if (entitlements.length > 0 && allowed.length === 0) return 'LICENSE_BANNED'
  if (allowed.length > 0 && active.length === 0) return 'SUBSCRIPTION_PAUSED'
  return 'SUBSCRIPTION_EXPIRED'
}
