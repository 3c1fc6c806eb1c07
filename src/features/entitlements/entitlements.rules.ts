import { type DurationUnit, maxDurationSeconds, unitSeconds } from '#contract/duration.ts'
import type { Problem } from '#contract/errors.ts'
import type { entitlementsErrors } from './entitlements.errors.ts'

export const timeUnits = ['hours', 'days', 'weeks', 'months', 'years'] as const

export type TimeUnit = (typeof timeUnits)[number]

type TimeCode = keyof typeof entitlementsErrors & ('TIME_UNIT_REQUIRED' | 'DURATION_REQUIRED' | 'DURATION_TOO_LONG')

/** What is wrong with a length of time that is added or taken. */
export function timeProblem(
  duration: number | undefined,
  unit: DurationUnit | undefined,
): Problem<TimeCode> | undefined {
  if (unit === undefined) return { code: 'TIME_UNIT_REQUIRED' }
  if (duration === undefined || !Number.isInteger(duration) || duration < 1) return { code: 'DURATION_REQUIRED' }
  if (duration * unitSeconds[unit] > maxDurationSeconds) return { code: 'DURATION_TOO_LONG' }
  return undefined
}

/** Days that a subscription given by hand may last. */
export const grantDays = { min: 1, max: 3650, standard: 30 } as const

/**
 * The moment from which a user's time counts: a pause stops the clock. Epoch seconds. A pause that began later than
 * now was begun by a clock that was wrong: it has lasted for no time.
 */
export const userClock = ({ paused_at }: { paused_at: number | null }, now: number): number =>
  Math.min(paused_at ?? now, now)

/** Seconds of a subscription that are left; null never ends. `clock` is the user's own. */
export const secondsLeft = (expiresAt: number | null, clock: number): number | null =>
  expiresAt === null ? null : Math.max(0, expiresAt - clock)

/** Why a user's time is left as it is, by the code of its refusal. */
export type TimeRejection = 'USER_SUBSCRIPTION_NOT_FOUND' | 'SUBSCRIPTION_EXPIRED' | 'SUBSCRIPTION_NEVER_ENDS'

/** Why time can't be added to, or taken from, a user with these entitlements; undefined when it can. */
export function timeRejection(
  entitlements: readonly { expires_at: number | null }[],
  { clock, withExpired }: { clock: number; withExpired: boolean },
): TimeRejection | undefined {
  if (entitlements.length === 0) return 'USER_SUBSCRIPTION_NOT_FOUND'
  const limited = entitlements.filter(({ expires_at }) => expires_at !== null)
  if (limited.length === 0) return 'SUBSCRIPTION_NEVER_ENDS'
  const changes = limited.some(({ expires_at }) => withExpired || (expires_at as number) > clock)
  return changes ? undefined : 'SUBSCRIPTION_EXPIRED'
}

/** When a subscription ends, as replies have it: both are null for a lifetime. */
export interface EntitlementEnd {
  expiry: number | null
  time_left: number | null
}

/** The one of these subscriptions that ends last; undefined without any. */
export function accessEnd<E extends EntitlementEnd>(entitlements: readonly E[]): E | undefined {
  const last = ({ expiry }: E) => expiry ?? Infinity
  return entitlements.reduce<E | undefined>((end, each) => (end && last(end) >= last(each) ? end : each), undefined)
}

/** A user's time comes from many grants: a bar of it is full from the standard grant on. */
export const fullGrantSeconds = grantDays.standard * unitSeconds.days
