import { sql, type Transaction } from 'kysely'
import { maxEpochSeconds } from '#contract/fields.ts'
import { preparedQuery } from '#database/prepared-query.ts'
import type { Schema } from '#database/schema.ts'

interface Grant {
  appId: string
  userId: number
  level: number
  seconds: number
  licenseId: number | null
  now: number
}

interface GrantValues extends Grant {
  /** Epoch seconds; null never ends. */
  endsAt: number | null
  /** The last moment to which all of the time can still be added. */
  fullUntil: number
}

const grantRow = preparedQuery(
  (db, { appId, userId, level, seconds, licenseId, now, endsAt, fullUntil }: GrantValues) => ({
    compile: () =>
      sql`
    insert into user_subscriptions as held (app_id, user_id, level, expires_at, license_id, created_at)
    values (${appId}, ${userId}, ${level}, ${endsAt}, ${licenseId}, ${now})
    on conflict (app_id, user_id, level) do update set
      license_id = excluded.license_id,
      expires_at = case
        when held.expires_at is null or excluded.expires_at is null then null
        when held.expires_at > ${fullUntil} then ${maxEpochSeconds}
        when held.expires_at > ${now} then held.expires_at + ${seconds}
        else excluded.expires_at end`.compile(db),
  }),
)

/** Gives time on a level: to what is left of it, or from now. 0 seconds never ends. One statement, so parallel grants add up. */
export async function upsertGrant(trx: Transaction<Schema>, grant: Grant): Promise<void> {
  const { seconds, now } = grant
  const endsAt = seconds === 0 ? null : Math.min(now + seconds, maxEpochSeconds)
  await grantRow(trx, { ...grant, endsAt, fullUntil: maxEpochSeconds - seconds })
}

/** Adds time to the subscriptions that these licenses gave; those that never end stay. */
export async function extendByLicenses(
  trx: Transaction<Schema>,
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
    .where('expires_at', 'is not', null)
    .execute()
}

export async function updateByLicense(
  trx: Transaction<Schema>,
  appId: string,
  licenseId: number,
  change: { level?: number; expires_at?: number | null },
): Promise<void> {
  await trx
    .updateTable('user_subscriptions')
    .set(change)
    .where('app_id', '=', appId)
    .where('license_id', '=', licenseId)
    .execute()
}

/** Whether the user of this license holds that level by another license already. */
export async function findOtherEntitlement(trx: Transaction<Schema>, appId: string, licenseId: number, level: number) {
  const row = await trx
    .selectFrom('user_subscriptions as mine')
    .innerJoin('user_subscriptions as other', (join) =>
      join.onRef('other.app_id', '=', 'mine.app_id').onRef('other.user_id', '=', 'mine.user_id'),
    )
    .select('other.level')
    .where('mine.app_id', '=', appId)
    .where('mine.license_id', '=', licenseId)
    .where('other.level', '=', level)
    .whereRef('other.level', '<>', 'mine.level')
    .executeTakeFirst()
  return row !== undefined
}

interface EntitlementKey {
  appId: string
  userId: number
  level: number
}

/** False when the user doesn't hold the level. */
export async function updateEntitlementExpiry(
  trx: Transaction<Schema>,
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

/** False when the user doesn't hold the level. */
export async function deleteEntitlement(
  trx: Transaction<Schema>,
  { appId, userId, level }: EntitlementKey,
): Promise<boolean> {
  const result = await trx
    .deleteFrom('user_subscriptions')
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('level', '=', level)
    .executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}

/** Takes back what banned licenses gave, so that deleting such a license doesn't lift its ban. */
export async function deleteBannedGrants(
  trx: Transaction<Schema>,
  appId: string,
  licenseIds: readonly number[],
): Promise<void> {
  if (licenseIds.length === 0) return
  await trx
    .deleteFrom('user_subscriptions')
    .where('app_id', '=', appId)
    .where('license_id', 'in', (banned) =>
      banned
        .selectFrom('licenses')
        .select('licenses.id')
        .where('licenses.app_id', '=', appId)
        .where('licenses.id', 'in', [...licenseIds])
        .where('licenses.banned', '=', 1),
    )
    .execute()
}
