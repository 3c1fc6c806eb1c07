import { type DurationUnit, maxDurationSeconds, unitSeconds } from '#contract/duration.ts'
import { maxEpochSeconds } from '#contract/epoch-seconds.ts'
import type { Problem } from '#contract/errors.ts'
import type { entitlementsErrors } from './entitlements.errors.ts'

export const timeUnits = ['hours', 'days', 'weeks', 'months', 'years'] as const

export type TimeUnit = (typeof timeUnits)[number]

type TimeCode = keyof typeof entitlementsErrors & ('TIME_UNIT_REQUIRED' | 'DURATION_REQUIRED' | 'DURATION_TOO_LONG')

/** Validates a duration to add or subtract. */
export function timeProblem(
  duration: number | undefined,
  unit: DurationUnit | undefined,
): Problem<TimeCode> | undefined {
  if (unit === undefined) return { code: 'TIME_UNIT_REQUIRED' }
  if (duration === undefined || !Number.isInteger(duration) || duration < 1) return { code: 'DURATION_REQUIRED' }
  if (duration * unitSeconds[unit] > maxDurationSeconds) return { code: 'DURATION_TOO_LONG' }
  return undefined
}

/** Allowed length in days of a manually granted subscription. */
export const grantDays = { min: 1, max: 3650, standard: 30 } as const

/**
 * The time from which a user's remaining time counts, in epoch seconds: a pause stops the clock. A pause that starts in
 * the future comes from a wrong clock and counts as zero seconds long.
 */
export const userClock = ({ paused_at }: { paused_at: number | null }, now: number): number =>
  Math.min(paused_at ?? now, now)

/** The end to store for a user whose subscription is to end then. The stored end of a paused user counts from the pause. */
export const storedEnd = (end: number | null, user: { paused_at: number | null }, now: number): number | null =>
  end === null ? null : Math.max(0, end - (now - userClock(user, now)))

/** Start of the pauses by user ID, as it is kept with what is taken from these users. */
export const pausesOf = (
  users: readonly { id: number; paused_at: number | null }[],
  now: number,
): Record<number, number> =>
  Object.fromEntries(users.filter(({ paused_at }) => paused_at !== null).map((user) => [user.id, userClock(user, now)]))

/** What the shares of an entitlement contain while a license of them is banned. */
export const heldShare = '"held":true'

interface TakenEntitlement {
  expires_at: number | null
  shares?: string | null
  paused_at?: number | undefined
}

/**
 * An entitlement as its user gets it back: with the time that was left in the pause in which it was taken. What lifting
 * a ban gives back counts from the end, even if that was before the pause.
 */
export function resumedEntitlement<E extends TakenEntitlement>(
  { paused_at: pausedAt, ...row }: E,
  user: { paused_at: number | null },
  now: number,
): Omit<E, 'paused_at'> {
  const { expires_at: end, shares } = row
  if (pausedAt === undefined || end === null || (end <= pausedAt && !shares?.includes(heldShare))) return row
  return { ...row, expires_at: Math.min(userClock(user, now) + end - pausedAt, maxEpochSeconds) }
}

/** End of a subscription that is granted now, in epoch seconds; 0 seconds never end, which is null. */
export const grantEnd = (seconds: number, now: number): number | null =>
  seconds === 0 ? null : Math.min(now + seconds, maxEpochSeconds)

/** What `access_until` of a user holds for a subscription that never ends. */
export const endlessAccess = Number.MAX_SAFE_INTEGER

/** `access_until` of a user with these subscriptions, which the triggers on subscriptions keep from then on. */
export const accessUntil = (ends: readonly (number | null)[]): number =>
  ends.reduce<number>((last, end) => Math.max(last, end ?? endlessAccess), 0)

/** Remaining seconds of a subscription; null never expires. `clock` is from `userClock`. */
export const secondsLeft = (expiresAt: number | null, clock: number): number | null =>
  expiresAt === null ? null : Math.max(0, expiresAt - clock)

/** Error codes for time that is not changed. */
export type TimeRejection = 'USER_SUBSCRIPTION_NOT_FOUND' | 'SUBSCRIPTION_EXPIRED' | 'SUBSCRIPTION_NEVER_ENDS'

/** Why a user with these entitlements cannot have time added or subtracted; undefined if allowed. */
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

/** End of a subscription in replies; both fields are null for a lifetime. */
export interface EntitlementEnd {
  expiry: number | null
  time_left: number | null
}

/** While a user is paused, the time that is left stays, and the end moves with the time, up to the last year. */
export function entitlementEnd(
  user: { paused_at: number | null },
  expiresAt: number | null,
  now: number,
): EntitlementEnd {
  const left = secondsLeft(expiresAt, userClock(user, now))
  return { expiry: left === null || left === 0 ? expiresAt : Math.min(now + left, maxEpochSeconds), time_left: left }
}

/** The subscription that ends last; undefined if there is none. */
export function accessEnd<E extends EntitlementEnd>(entitlements: readonly E[]): E | undefined {
  const last = ({ expiry }: E) => expiry ?? Infinity
  return entitlements.reduce<E | undefined>((end, each) => (end && last(end) >= last(each) ? end : each), undefined)
}

/** Time from which a bar of the remaining time is full: the default grant, because time comes from many grants. */
export const fullGrantSeconds = grantDays.standard * unitSeconds.days

/** Another duration of a redeemed license, in seconds from its redemption; 0 never ends. */
export interface ChangedDuration {
  /** Epoch seconds. */
  usedAt: number
  seconds: number
  former: number
}

/** Whether a license gives more than before. An end for one that had none gives nothing. */
export const isLonger = ({ seconds, former }: ChangedDuration): boolean =>
  former > 0 && (seconds === 0 || seconds > former)

/**
 * The end of what a license alone granted, after its duration has changed from `former`; 0 never ends. Pauses and owners
 * may have moved the end, and it stays moved, unless there is a lifetime to start from. An end that was cut at the last
 * year is counted from the redemption again.
 */
export function movedEnd(end: number | null, { usedAt, seconds, former }: ChangedDuration): number | null {
  if (seconds === 0) return null
  const granted = Math.min(usedAt + seconds, maxEpochSeconds)
  if (former === 0) return granted
  if (end === null) return null
  return Math.min(Math.max(end + seconds - former, Math.min(end, granted)), maxEpochSeconds)
}
