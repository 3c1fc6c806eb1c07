import type { Reader, Unit } from '#database/database.ts'
import { maxEpochSeconds } from '#contract/fields.ts'
import { addSeconds, listHeld, subtractSeconds } from './user-time.queries.ts'
import type { User } from './users.queries.ts'
import { type TimeOutcome, timeOutcome, userClock } from './users.rules.ts'

export interface TimeChange {
  appId: string
  /** Held by this unit, unless the change is only weighed. */
  users: readonly User[]
  /** Without a level everything that they hold. */
  level?: number | undefined
  seconds: number
  /** Adding: ended subscriptions run from now. */
  withExpired?: boolean
  now: number
}

/** What would become of each user; nothing is changed. */
export async function weighTime(db: Reader, change: TimeChange): Promise<Map<number, TimeOutcome>> {
  const { appId, users, level, withExpired = false, now } = change
  const rows = await listHeld(db, { appId, userIds: users.map(({ id }) => id), level })
  const held = Map.groupBy(rows, (row) => row.user_id)
  return new Map(
    users.map((user) => [user.id, timeOutcome(held.get(user.id) ?? [], { clock: userClock(user, now), withExpired })]),
  )
}

/** Adds time to a subscription of these users; who lacks it, whose has ended or never ends is left alone. */
export async function extendUsers(
  unit: Unit,
  change: TimeChange & { level: number },
): Promise<Map<number, TimeOutcome>> {
  const outcomes = await weighTime(unit.trx, change)
  const { appId, level, seconds, withExpired = false, now } = change
  const userIds = changedIds(outcomes)
  await addSeconds(unit.trx, { appId, userIds, level, seconds, withExpired, most: maxEpochSeconds, now })
  unit.announce(`access:${appId}`)
  return outcomes
}

/** Takes time from these users; it ends now at the earliest, which counts as expired. */
export async function subtractFromUsers(unit: Unit, change: TimeChange): Promise<Map<number, TimeOutcome>> {
  const outcomes = await weighTime(unit.trx, { ...change, withExpired: false })
  const { appId, level, seconds, now } = change
  await subtractSeconds(unit.trx, { appId, userIds: changedIds(outcomes), level, seconds, now })
  unit.announce(`access:${appId}`)
  return outcomes
}

const changedIds = (outcomes: Map<number, TimeOutcome>): number[] =>
  [...outcomes].flatMap(([id, outcome]) => (outcome === 'changed' ? [id] : []))
