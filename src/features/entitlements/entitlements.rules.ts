import { type DurationUnit, unitSeconds } from '#contract/duration.ts'

export const timeUnits = ['hours', 'days', 'weeks', 'months', 'years'] as const

export type TimeUnit = (typeof timeUnits)[number]

export function timeProblem(duration: number | undefined, unit: DurationUnit): string | undefined {
  if (duration === undefined || !Number.isInteger(duration) || duration < 1) return 'Please enter a duration'
  if (duration * unitSeconds[unit] > 1000 * unitSeconds.years) return 'The duration can be at most 1000 years'
  return undefined
}

/** Days that a subscription given by hand may last (part 1 §9). */
export const grantDays = { min: 1, max: 3650, standard: 30 } as const

/** The moment from which a user's time counts: a pause stops the clock. Epoch seconds. */
export const userClock = (user: { paused_at: number | null }, now: number): number => user.paused_at ?? now

/** Seconds of a subscription that are left; null never ends. `clock` is the user's own. */
export const secondsLeft = (expiresAt: number | null, clock: number): number | null =>
  expiresAt === null ? null : Math.max(0, expiresAt - clock)

export type TimeOutcome = 'changed' | 'notFound' | 'withoutSubscription' | 'expired' | 'lifetime'

/** Why a user's time was left alone; empty when it was changed. */
export const timeOutcomeTexts: Record<TimeOutcome, string> = {
  changed: '',
  notFound: 'User not found',
  withoutSubscription: 'The user does not have this subscription',
  expired: 'The subscription has expired',
  lifetime: 'The subscription never ends',
}

/** What adding or taking time would do to a user who holds these subscriptions. */
export function timeOutcome(
  held: readonly { expires_at: number | null }[],
  { clock, withExpired }: { clock: number; withExpired: boolean },
): TimeOutcome {
  if (held.length === 0) return 'withoutSubscription'
  const limited = held.filter(({ expires_at }) => expires_at !== null)
  if (limited.length === 0) return 'lifetime'
  const changes = limited.some(({ expires_at }) => withExpired || (expires_at as number) > clock)
  return changes ? 'changed' : 'expired'
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
