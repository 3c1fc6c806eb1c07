import type { Insertable } from 'kysely'
import type { Transaction } from '#database/database.ts'
import type { Level } from './levels.reads.ts'
import type { SubscriptionsTable } from './levels.table.ts'

/** Returns the level, unchanged until the transaction ends: on PostgreSQL, the update locks its row. */
export const lockLevelRow = (trx: Transaction, appId: string, level: number): Promise<Level | undefined> =>
  trx
    .updateTable('subscriptions')
    .set((row) => ({ active: row.ref('active') }))
    .where('app_id', '=', appId)
    .where('level', '=', level)
    .returningAll()
    .executeTakeFirst()

/** Returns false if the app already has that level. */
export async function insertLevel(trx: Transaction, row: Insertable<SubscriptionsTable>): Promise<boolean> {
  const result = await trx
    .insertInto('subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
}

export const updateLevel = (
  trx: Transaction,
  appId: string,
  level: number,
  change: { name?: string; active?: number },
): Promise<Level | undefined> =>
  trx
    .updateTable('subscriptions')
    .set(change)
    .where('app_id', '=', appId)
    .where('level', '=', level)
    .returningAll()
    .executeTakeFirst()

export async function deleteLevelRow(trx: Transaction, appId: string, level: number): Promise<void> {
  await trx.deleteFrom('subscriptions').where('app_id', '=', appId).where('level', '=', level).execute()
}
