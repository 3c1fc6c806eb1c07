import type { Insertable, Updateable } from 'kysely'
import type { Transaction } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import { deleteRows } from '#database/delete-rows.ts'
import type { SellerKey } from './seller-keys.reads.ts'
import type { SellerKeysTable } from './seller-keys.table.ts'

/** Locks the keys that exist until the transaction ends, and returns them. */
export async function lockKeys(trx: Transaction, appId: string, ids: readonly string[]): Promise<SellerKey[]> {
  if (ids.length === 0) return []
  const rows = trx
    .selectFrom('seller_keys')
    .selectAll()
    .where('app_id', '=', appId)
    .where('id', 'in', [...ids])
  return locking(trx, rows.orderBy('id')).execute()
}

export async function insertKey(trx: Transaction, key: Insertable<SellerKeysTable>): Promise<SellerKey> {
  return trx.insertInto('seller_keys').values(key).returningAll().executeTakeFirstOrThrow()
}

export const updateKey = (
  trx: Transaction,
  appId: string,
  id: string,
  change: Updateable<SellerKeysTable>,
): Promise<SellerKey | undefined> =>
  trx
    .updateTable('seller_keys')
    .set(change)
    .where('app_id', '=', appId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export async function setKeysActive(
  trx: Transaction,
  appId: string,
  ids: readonly string[],
  active: boolean,
): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('seller_keys')
    .set({ active: active ? 1 : 0 })
    .where('app_id', '=', appId)
    .where('id', 'in', [...ids])
    .execute()
}

export const deleteKeys = (trx: Transaction, appId: string, values: readonly string[]): Promise<number> =>
  deleteRows(trx, 'seller_keys', appId, { column: 'id', values })

/** Stores the new secret. The previous one stays valid until `previousUntil` (epoch seconds); null ends it now. */
export const replaceSecret = (
  trx: Transaction,
  { app_id: appId, id }: SellerKey,
  next: { secretHash: string; lastFour: string; previousUntil: number | null },
): Promise<SellerKey | undefined> =>
  trx
    .updateTable('seller_keys')
    .set((row) => ({
      secret_hash: next.secretHash,
      last_four: next.lastFour,
      exposed_at: null,
      // Read from the row, so that of two concurrent rotations the second keeps the first one's secret.
      previous_hash: next.previousUntil === null ? null : row.ref('secret_hash'),
      previous_until: next.previousUntil,
    }))
    .where('app_id', '=', appId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Takes effect only if the exposed secret is still the current one. */
export async function recordExposure(trx: Transaction, { id, secret_hash }: SellerKey, now: number) {
  await trx
    .updateTable('seller_keys')
    .set({ exposed_at: now })
    .where('id', '=', id)
    .where('secret_hash', '=', secret_hash)
    .where('exposed_at', 'is', null)
    .execute()
}

/** Takes effect only if no other call has recorded a use since `before`; one after `now` is from a wrong clock. */
export async function recordKeyUse(trx: Transaction, id: string, use: { now: number; ip: string; before: number }) {
  await trx
    .updateTable('seller_keys')
    .set({ last_used_at: use.now, last_used_ip: use.ip })
    .where('id', '=', id)
    .where((is) =>
      is.or([is('last_used_at', 'is', null), is('last_used_at', '<=', use.before), is('last_used_at', '>', use.now)]),
    )
    .execute()
}
