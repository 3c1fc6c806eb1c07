import { type Selectable, sql } from 'kysely'
import type { Reader } from '#database/database.ts'
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
  // Includes the public form from lists, because people paste it into the search.
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

/** The next IDs after `afterId`. */
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

/** By ID only: the caller's app is not known until its key is found. */
export const findKey = (db: Reader, id: string): Promise<SellerKey | undefined> =>
  db.selectFrom('seller_keys').selectAll().where('id', '=', id).executeTakeFirst()
