import type { Insertable, Updateable } from 'kysely'
import type { Transaction } from '#database/database.ts'
import type { App } from './apps.reads.ts'
import type { AppReplacedKeysTable, AppSigningKeysTable, AppsTable } from './apps.table.ts'

/** Locks the row on PostgreSQL until the transaction ends, without blocking rows that only refer to it. */
export const lockAppRow = (trx: Transaction, id: string): Promise<App | undefined> =>
  trx
    .updateTable('apps')
    .set((row) => ({ deleted_at: row.ref('deleted_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** The owner's app, locked until the transaction ends. */
export const lockOwnApp = (trx: Transaction, ownerId: string, id: string): Promise<App | undefined> =>
  trx
    .updateTable('apps')
    .set((row) => ({ deleted_at: row.ref('deleted_at') }))
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** False if the owner already has an app with that name. */
export async function insertApp(trx: Transaction, app: Insertable<AppsTable>): Promise<boolean> {
  const result = await trx
    .insertInto('apps')
    .values(app)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
}

/** Has no effect on an app that has been deleted meanwhile. */
export const updateAppRow = (trx: Transaction, id: string, change: Updateable<AppsTable>): Promise<App | undefined> =>
  trx
    .updateTable('apps')
    .set(change)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** True for exactly one of several concurrent transactions. */
export async function markAppDeleted(trx: Transaction, id: string, now: number): Promise<boolean> {
  const result = await trx
    .updateTable('apps')
    .set({ deleted_at: now, name_key: `deleted ${id}` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

export async function deleteAppRow(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('apps').where('id', '=', id).execute()
}

export async function insertSigningKey(trx: Transaction, key: Insertable<AppSigningKeysTable>): Promise<void> {
  await trx
    .insertInto('app_signing_keys')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteSigningKeys(trx: Transaction, appId: string): Promise<void> {
  await trx.deleteFrom('app_signing_keys').where('app_id', '=', appId).execute()
}

export async function insertReplacedKeys(trx: Transaction, keys: Insertable<AppReplacedKeysTable>): Promise<void> {
  await trx.insertInto('app_replaced_keys').values(keys).execute()
}

export async function deleteReplacedKeys(trx: Transaction, appId: string): Promise<void> {
  await trx.deleteFrom('app_replaced_keys').where('app_id', '=', appId).execute()
}
