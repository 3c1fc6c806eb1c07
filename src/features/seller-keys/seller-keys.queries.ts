import { type Insertable, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'
import { likePattern } from '#database/search-source.ts'
import type { SellerKeysTable } from './seller-keys.table.ts'

export type SellerKey = Selectable<SellerKeysTable>

export interface KeyChoice {
  appId: string
  search?: string | undefined
}

function filterKeys(db: Reader, { appId, search }: KeyChoice) {
  const query = db.selectFrom('seller_keys').where('app_id', '=', appId)
  const text = search?.trim() ?? ''
  if (text === '') return query
  // What lists show of a key: people paste it into the search.
  const shown = sql`lower(name || ' lk_live_' || id || '…' || last_four)`
  return query.where(sql<boolean>`${shown} like lower(${likePattern(text)}) escape '\\'`)
}

export async function countKeys(db: Reader, choice: KeyChoice): Promise<number> {
  const { n } = await filterKeys(db, choice)
    .select((select) => select.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

export const listKeys = (db: Reader, choice: KeyChoice & { offset: number; limit: number }): Promise<SellerKey[]> =>
  filterKeys(db, choice)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(choice.limit)
    .offset(choice.offset)
    .execute()

/** The next ids after `afterId`, for work done in pieces. */
export async function listIdsAfter(
  db: Reader,
  choice: KeyChoice & { afterId: string; limit: number },
): Promise<string[]> {
  const rows = await filterKeys(db, choice)
    .select('id')
    .where('id', '>', choice.afterId)
    .orderBy('id')
    .limit(choice.limit)
    .execute()
  return rows.map(({ id }) => id)
}

export const findKey = (db: Reader, appId: string, id: string): Promise<SellerKey | undefined> =>
  db.selectFrom('seller_keys').selectAll().where('app_id', '=', appId).where('id', '=', id).executeTakeFirst()

/** The key that a caller says it has; its app is not known yet. */
export const findKeyOfCaller = (db: Reader, id: string): Promise<SellerKey | undefined> =>
  db.selectFrom('seller_keys').selectAll().where('id', '=', id).executeTakeFirst()

export async function insertKey(trx: Transaction<Schema>, key: Insertable<SellerKeysTable>): Promise<SellerKey> {
  return trx.insertInto('seller_keys').values(key).returningAll().executeTakeFirstOrThrow()
}

export const updateKey = (
  trx: Transaction<Schema>,
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

export async function deleteKey(trx: Transaction<Schema>, appId: string, id: string): Promise<boolean> {
  const result = await trx.deleteFrom('seller_keys').where('app_id', '=', appId).where('id', '=', id).executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}

/** The new secret; the one before stays good until then (epoch seconds), or not at all. */
export const replaceSecret = (
  trx: Transaction<Schema>,
  { app_id: appId, id }: SellerKey,
  next: { secretHash: string; lastFour: string; previousUntil: number | null },
): Promise<SellerKey | undefined> =>
  trx
    .updateTable('seller_keys')
    .set((row) => ({
      secret_hash: next.secretHash,
      last_four: next.lastFour,
      exposed_at: null,
      // Of the row as it is now: of two rotations at once, the second keeps the secret of the first.
      previous_hash: next.previousUntil === null ? null : row.ref('secret_hash'),
      previous_until: next.previousUntil,
    }))
    .where('app_id', '=', appId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Only while the secret that was seen is the key's present one. */
export async function recordExposure(trx: Transaction<Schema>, { id, secret_hash }: SellerKey, now: number) {
  await trx
    .updateTable('seller_keys')
    .set({ exposed_at: now })
    .where('id', '=', id)
    .where('secret_hash', '=', secret_hash)
    .where('exposed_at', 'is', null)
    .execute()
}

/** Only when nobody else has noted a use since `before`. */
export async function recordKeyUse(
  trx: Transaction<Schema>,
  id: string,
  use: { now: number; ip: string; before: number },
) {
  await trx
    .updateTable('seller_keys')
    .set({ last_used_at: use.now, last_used_ip: use.ip })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', use.before)]))
    .execute()
}
