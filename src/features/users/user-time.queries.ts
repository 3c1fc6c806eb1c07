import { sql, type Transaction } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'

export interface EntitlementTime {
  user_id: number
  level: number
  expires_at: number | null
}

interface Choice {
  appId: string
  userIds: readonly number[]
  /** Without one all that they hold. */
  level?: number | undefined
}

/** What these users hold, by user and level. */
export async function listEntitlements(db: Reader, { appId, userIds, level }: Choice): Promise<EntitlementTime[]> {
  if (userIds.length === 0) return []
  let query = db
    .selectFrom('user_subscriptions')
    .select(['user_id', 'level', 'expires_at'])
    .where('app_id', '=', appId)
    .where('user_id', 'in', [...userIds])
  if (level !== undefined) query = query.where('level', '=', level)
  return query.orderBy('user_id').orderBy('level').execute()
}

/** A paused user's time counts from the pause, everybody else's from now. */
const clockOf = (now: number) => sql<number>`coalesce((
  select paused_at from users
  where users.app_id = user_subscriptions.app_id and users.id = user_subscriptions.user_id), ${now})`

const held = (trx: Transaction<Schema>, { appId, userIds, level }: Choice) => {
  const query = trx
    .updateTable('user_subscriptions')
    .where('app_id', '=', appId)
    .where('user_id', 'in', [...userIds])
    .where('expires_at', 'is not', null)
  return level === undefined ? query : query.where('level', '=', level)
}

/** Adds to what is left; with `withExpired` ended ones run from now. One statement, so that parallel ones add up. */
export async function addSeconds(
  trx: Transaction<Schema>,
  choice: Choice & { seconds: number; withExpired: boolean; max: number; now: number },
): Promise<void> {
  const { seconds, withExpired, max, now } = choice
  if (choice.userIds.length === 0) return
  const clock = clockOf(now)
  let query = held(trx, choice).set({
    expires_at: sql<number>`case
      when expires_at <= ${clock} then ${clock} + ${seconds}
      when expires_at > ${max - seconds} then ${max}
      else expires_at + ${seconds} end`,
  })
  if (!withExpired) query = query.where(sql<boolean>`expires_at > ${clock}`)
  await query.execute()
}

/** Takes from what is left, down to nothing; what has ended stays as it is. */
export async function subtractSeconds(
  trx: Transaction<Schema>,
  choice: Choice & { seconds: number; now: number },
): Promise<void> {
  if (choice.userIds.length === 0) return
  const clock = clockOf(choice.now)
  await held(trx, choice)
    .set({
      expires_at: sql<number>`case
        when expires_at - ${choice.seconds} > ${clock} then expires_at - ${choice.seconds}
        else ${clock} end`,
    })
    .where(sql<boolean>`expires_at > ${clock}`)
    .execute()
}

/** Gives paused users back what was left when they were paused; done before their pause is forgotten. */
export async function shiftExpiryByPause(
  trx: Transaction<Schema>,
  choice: { appId: string; userIds: readonly number[]; max: number; now: number },
): Promise<void> {
  const { max, now } = choice
  if (choice.userIds.length === 0) return
  const pausedAt = clockOf(now)
  await held(trx, choice)
    .set({
      expires_at: sql<number>`case
        when expires_at > ${max} - (${now} - ${pausedAt}) then ${max}
        else expires_at + (${now} - ${pausedAt}) end`,
    })
    .where(sql<boolean>`expires_at > ${pausedAt}`)
    .execute()
}
