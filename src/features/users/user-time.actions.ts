import type { Reader, Tx } from '#database/database.ts'
import { maxEpochSeconds } from '#contract/fields.ts'
import { addSeconds, listEntitlements, subtractSeconds } from './user-time.queries.ts'
import type { User } from './users.queries.ts'
import { type TimeOutcome, timeOutcome, userClock } from './users.rules.ts'

export interface TimeChange {
  appId: string
  /** Held by this transaction, unless the change is only weighed. */
  users: readonly User[]
  /** Without a level everything that they hold. */
  level?: number | undefined
  seconds: number
  /** Adding: ended subscriptions run from now. */
  withExpired?: boolean
  now: number
}

/** What would become of each user; nothing is changed. */
export async function previewTimeChange(db: Reader, change: TimeChange): Promise<Map<number, TimeOutcome>> {
  const { appId, users, level, withExpired = false, now } = change
  const rows = await listEntitlements(db, { appId, userIds: users.map(({ id }) => id), level })
  const held = Map.groupBy(rows, (row) => row.user_id)
  return new Map(
    users.map((user) => [user.id, timeOutcome(held.get(user.id) ?? [], { clock: userClock(user, now), withExpired })]),
  )
}

/** Adds time to a subscription of these users; who lacks it, whose has ended or never ends is left alone. */
export async function extendUsers(tx: Tx, change: TimeChange & { level: number }): Promise<Map<number, TimeOutcome>> {
  const outcomes = await previewTimeChange(tx.db, change)
  const { appId, level, seconds, withExpired = false, now } = change
  const userIds = changedIds(outcomes)
  await addSeconds(tx.db, { appId, userIds, level, seconds, withExpired, max: maxEpochSeconds, now })
  tx.publish(`access:${appId}`)
  return outcomes
}

/** Takes time from these users; it ends now at the earliest, which counts as expired. */
export async function subtractFromUsers(tx: Tx, change: TimeChange): Promise<Map<number, TimeOutcome>> {
  const outcomes = await previewTimeChange(tx.db, { ...change, withExpired: false })
  const { appId, level, seconds, now } = change
  await subtractSeconds(tx.db, { appId, userIds: changedIds(outcomes), level, seconds, now })
  tx.publish(`access:${appId}`)
  return outcomes
}

const changedIds = (outcomes: Map<number, TimeOutcome>): number[] =>
  [...outcomes].flatMap(([id, outcome]) => (outcome === 'changed' ? [id] : []))
