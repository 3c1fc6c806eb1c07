import { sql } from 'kysely'
import type { Tx } from '#database/database.ts'

const spreadSeconds = 150 * 86_400

/** Spreads seeded rows over the last five months, oldest first, so that the times on the screens differ. */
export async function ageLicenses({ db: trx }: Tx, appId: string, now: number): Promise<void> {
  const { rows } = await sql<{ first: number; last: number }>`
    select min(id) as first, max(id) as last from licenses where app_id = ${appId}`.execute(trx)
  const { first = 0, last = 1 } = rows[0] ?? {}
  const secondsEach = spreadSeconds / Math.max(1, last - first)
  // PostgreSQL takes a parameter beside an integer for one; SQLite binds reals, whose fractions would be stored.
  const age = sql`cast((${last} - id) * cast(${secondsEach} as double precision) as bigint)`
  const usedAge = sql`cast((${last} - id) * cast(${secondsEach / 3} as double precision) as bigint)`
  await sql`
    update licenses set
      created_at = ${now} - ${age},
      used_at = case when used_at is null then null else ${now} - ${usedAge} end,
      expires_at = case when expires_at is null then null else expires_at - ${usedAge} end
    where app_id = ${appId}`.execute(trx)
  await sql`
    update user_subscriptions set expires_at = (
      select licenses.expires_at from licenses
      where licenses.app_id = user_subscriptions.app_id and licenses.id = user_subscriptions.license_id)
    where app_id = ${appId} and expires_at is not null`.execute(trx)
  await sql`
    update users set created_at = coalesce((
      select min(licenses.used_at) from licenses
      where licenses.app_id = users.app_id and licenses.used_by_user_id = users.id), created_at)
    where app_id = ${appId}`.execute(trx)
}
