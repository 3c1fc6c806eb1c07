import { sql } from 'kysely'
import type { Transaction } from '#database/database.ts'
import { preparedQuery } from '#database/prepared-query.ts'
import { deleteRows } from '#database/delete-rows.ts'
import { locking } from '#database/row-lock.ts'
import { valueById } from '#database/value-by-id.ts'
import type { EntitlementRow, NewEntitlement } from './entitlements.reads.ts'
import { heldShare, userClock } from './entitlements.rules.ts'
import type { SharedTime } from './license-shares.rules.ts'

interface EntitlementKey {
  appId: string
  userId: number
  level: number
}

interface Grant extends EntitlementKey {
  /** Epoch seconds; null never ends. */
  expiresAt: number | null
  licenseId: number | null
  now: number
}

const grantRow = preparedQuery((db, { appId, userId, level, expiresAt, licenseId, now }: Grant) =>
  db
    .insertInto('user_subscriptions')
    .values({ app_id: appId, user_id: userId, level, expires_at: expiresAt, license_id: licenseId, created_at: now })
    .onConflict((conflict) => conflict.columns(['app_id', 'user_id', 'level']).doNothing())
    .returning('level'),
)

/** Returns false if the user has that level already. */
export const insertGrant = async (trx: Transaction, grant: Grant): Promise<boolean> =>
  (await grantRow(trx, grant)).length > 0

/** An entitlement, locked until the transaction ends. */
export const lockEntitlement = (trx: Transaction, { appId, userId, level }: EntitlementKey): Promise<EntitlementRow> =>
  locking(
    trx,
    trx
      .selectFrom('user_subscriptions')
      .selectAll()
      .where('app_id', '=', appId)
      .where('user_id', '=', userId)
      .where('level', '=', level),
  ).executeTakeFirstOrThrow()

/** Sets the end of an entitlement and what it consists of. */
export async function updateSharedTime(
  trx: Transaction,
  { app_id: appId, user_id: userId, level }: Pick<EntitlementRow, 'app_id' | 'user_id' | 'level'>,
  { expires_at, license_id, shares }: SharedTime,
): Promise<void> {
  await trx
    .updateTable('user_subscriptions')
    .set({ expires_at, license_id, shares })
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('level', '=', level)
    .execute()
}

/** Sets what an entitlement consists of, and leaves its end. */
export async function updateShares(
  trx: Transaction,
  { appId, userId, level }: EntitlementKey,
  shares: string | null,
): Promise<void> {
  await trx
    .updateTable('user_subscriptions')
    .set({ shares })
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('level', '=', level)
    .execute()
}

/** Adds time to what each of these licenses granted alone, except for lifetimes. */
export async function extendByLicenses(
  trx: Transaction,
  { appId, licenseIds, seconds, max }: { appId: string; licenseIds: readonly number[]; seconds: number; max: number },
): Promise<void> {
  if (licenseIds.length === 0) return
  await trx
    .updateTable('user_subscriptions')
    .set({
      expires_at: sql<number>`case when expires_at + ${seconds} > ${max} then ${max} else expires_at + ${seconds} end`,
    })
    .where('app_id', '=', appId)
    .where('license_id', 'in', [...licenseIds])
    .where('shares', 'is', null)
    .where('expires_at', 'is not', null)
    .execute()
}

/** Changes what the license granted alone. */
export async function updateByLicense(
  trx: Transaction,
  appId: string,
  licenseId: number,
  change: { level?: number; expires_at?: number | null },
): Promise<void> {
  await trx
    .updateTable('user_subscriptions')
    .set(change)
    .where('app_id', '=', appId)
    .where('license_id', '=', licenseId)
    .where('shares', 'is', null)
    .execute()
}

/** Returns false if the user has no such entitlement. */
export async function updateExpiry(
  trx: Transaction,
  { appId, userId, level, expiresAt }: EntitlementKey & { expiresAt: number | null },
): Promise<boolean> {
  const result = await trx
    .updateTable('user_subscriptions')
    .set({ expires_at: expiresAt })
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('level', '=', level)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Returns the deleted row; undefined if the user has no such entitlement. */
export const deleteEntitlement = (
  trx: Transaction,
  { appId, userId, level }: EntitlementKey,
): Promise<EntitlementRow | undefined> =>
  trx
    .deleteFrom('user_subscriptions')
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('level', '=', level)
    .returningAll()
    .executeTakeFirst()

export async function insertEntitlement(trx: Transaction, row: NewEntitlement): Promise<void> {
  await trx.insertInto('user_subscriptions').values(row).execute()
}

const rowsPerInsert = 500

/** Inserts entitlements of users who have none on that level. */
export async function insertEntitlements(trx: Transaction, rows: readonly NewEntitlement[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    await trx
      .insertInto('user_subscriptions')
      .values(rows.slice(from, from + rowsPerInsert))
      .execute()
  }
}

/** Deletes what these licenses granted, and nobody else. */
export const deleteByLicenses = (trx: Transaction, appId: string, values: readonly number[]): Promise<number> =>
  deleteRows(trx, 'user_subscriptions', appId, { column: 'license_id', values })

export const deleteByUsers = (trx: Transaction, appId: string, values: readonly number[]): Promise<number> =>
  deleteRows(trx, 'user_subscriptions', appId, { column: 'user_id', values })

/** The fields of a user that affect time: a pause stops the clock. */
export interface EntitledUser {
  app_id: string
  id: number
  /** Epoch seconds; null if not paused. */
  paused_at: number | null
}

interface UserChoice {
  appId: string
  users: readonly EntitledUser[]
  /** Undefined for all levels. */
  level?: number | undefined
}

/** A paused user's time counts from the pause, others' from now. */
function clockOf(users: readonly EntitledUser[], now: number) {
  const paused = users.filter(({ paused_at }) => paused_at !== null)
  if (paused.length === 0) return sql<number>`cast(${now} as bigint)`
  const cases = paused.map((user) => sql`when ${user.id} then cast(${userClock(user, now)} as bigint)`)
  return sql<number>`case user_id ${sql.join(cases, sql` `)} else cast(${now} as bigint) end`
}

const limitedEntitlements = (trx: Transaction, { appId, users, level }: UserChoice) => {
  const query = trx
    .updateTable('user_subscriptions')
    .where('app_id', '=', appId)
    .where(
      'user_id',
      'in',
      users.map(({ id }) => id),
    )
    .where('expires_at', 'is not', null)
  return level === undefined ? query : query.where('level', '=', level)
}

/** Adds to the remaining time; `withExpired` restarts expired ones from now. One statement: parallel calls add up. */
export async function addSeconds(
  trx: Transaction,
  choice: UserChoice & { seconds: number; withExpired: boolean; max: number; now: number },
): Promise<void> {
  const { seconds, withExpired, max, now } = choice
  if (choice.users.length === 0) return
  const clock = clockOf(choice.users, now)
  let query = limitedEntitlements(trx, choice).set({
    expires_at: sql<number>`case
      when expires_at <= ${clock} then ${clock} + ${seconds}
      when expires_at > ${max - seconds} then ${max}
      else expires_at + ${seconds} end`,
  })
  if (!withExpired) query = query.where(sql<boolean>`expires_at > ${clock}`)
  await query.execute()
}

/** Subtracts from the remaining time, down to zero; expired ones do not change. */
export async function subtractSeconds(
  trx: Transaction,
  choice: UserChoice & { seconds: number; now: number },
): Promise<void> {
  if (choice.users.length === 0) return
  const clock = clockOf(choice.users, choice.now)
  await limitedEntitlements(trx, choice)
    .set({
      expires_at: sql<number>`case
        when expires_at - ${choice.seconds} > ${clock} then expires_at - ${choice.seconds}
        else ${clock} end`,
    })
    .where(sql<boolean>`expires_at > ${clock}`)
    .execute()
}

/**
 * Restores the time that paused users had left at the pause; call it before clearing the pause. An end from which the
 * time of a banned license counts is moved as well, so that lifting the ban gives back no less.
 */
export async function shiftExpiryByPause(
  trx: Transaction,
  choice: UserChoice & { max: number; now: number },
): Promise<void> {
  const { max, now } = choice
  if (choice.users.length === 0) return
  const pausedAt = clockOf(choice.users, now)
  await limitedEntitlements(trx, choice)
    .set({
      expires_at: sql<number>`case
        when expires_at > ${max} - (${now} - ${pausedAt}) then ${max}
        else expires_at + (${now} - ${pausedAt}) end`,
    })
    .where(sql<boolean>`(expires_at > ${pausedAt} or shares like ${`%${heldShare}%`})`)
    .execute()
}

/** Removes a level from these users and returns what they had. */
export async function deleteEntitlementsOfLevel(
  trx: Transaction,
  appId: string,
  level: number,
  userIds: readonly number[],
): Promise<EntitlementRow[]> {
  if (userIds.length === 0) return []
  return trx
    .deleteFrom('user_subscriptions')
    .where('app_id', '=', appId)
    .where('level', '=', level)
    .where('user_id', 'in', [...userIds])
    .returningAll()
    .execute()
}

/** Sets the end of a level for each of these users. */
export async function updateExpiryByUser(
  trx: Transaction,
  appId: string,
  level: number,
  expiry: ReadonlyMap<number, number | null>,
): Promise<void> {
  if (expiry.size === 0) return
  await trx
    .updateTable('user_subscriptions')
    .set({ expires_at: valueById('user_id', expiry) })
    .where('app_id', '=', appId)
    .where('level', '=', level)
    .where('user_id', 'in', [...expiry.keys()])
    .execute()
}

/** Sets the end of what each of these licenses granted alone. */
export async function updateLicensedExpiry(
  trx: Transaction,
  appId: string,
  expiry: ReadonlyMap<number, number | null>,
): Promise<void> {
  if (expiry.size === 0) return
  await trx
    .updateTable('user_subscriptions')
    .set({ expires_at: valueById('license_id', expiry) })
    .where('app_id', '=', appId)
    .where('license_id', 'in', [...expiry.keys()])
    .where('shares', 'is', null)
    .execute()
}
