import type { Transaction } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'

export async function countEntitledUsers(db: Reader, appId: string, level: number): Promise<number> {
  const { n } = await db
    .selectFrom('user_subscriptions')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('app_id', '=', appId)
    .where('level', '=', level)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Takes a level from up to `limit` of its users; gives from how many. */
export async function deleteEntitlementsOfLevel(
  trx: Transaction<Schema>,
  appId: string,
  level: number,
  limit: number,
): Promise<number> {
  const result = await trx
    .deleteFrom('user_subscriptions')
    .where('app_id', '=', appId)
    .where('level', '=', level)
    .where('user_id', 'in', (some) =>
      some
        .selectFrom('user_subscriptions')
        .select('user_id')
        .where('app_id', '=', appId)
        .where('level', '=', level)
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
