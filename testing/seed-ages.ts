import { sql } from 'kysely'
import type { Unit } from '#database/database.ts'

const spreadSeconds = 150 * 86_400

/** Spreads what was seeded in one moment over the last five months, so that times on the screens differ. */
export async function ageLicenses({ trx }: Unit, appId: string, now: number): Promise<void> {
  const back = sql`((id * 7919) % ${spreadSeconds})`
  const shorter = sql`((id * 7919) % ${spreadSeconds} / 4)`
  await sql`
    update licenses set
      created_at = ${now} - ${back},
      used_at = case when used_at is null then null else ${now} - ${shorter} end,
      expires_at = case when expires_at is null then null else expires_at - ${shorter} end
    where app_id = ${appId}`.execute(trx)
  await sql`
    update user_subscriptions set expires_at = (
      select licenses.expires_at from licenses
      where licenses.app_id = user_subscriptions.app_id and licenses.id = user_subscriptions.license_id)
    where app_id = ${appId} and expires_at is not null`.execute(trx)
}
