import { countAll } from '#database/count-all.ts'
import { type Selectable, sql } from 'kysely'
import type { SortBy } from '#contract/sort-field.ts'
import type { Reader } from '#database/database.ts'
import { containsText } from '#database/search-source.ts'
import { sortOrder, textOrder } from '#database/sort-order.ts'
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
  return query.where(containsText(sql`name || ' lk_live_' || id || '…' || last_four`, text))
}

export const countKeys = (db: Reader, choice: KeyChoice): Promise<number> => countAll(filterKeys(db, choice))

const sortColumns = (db: Reader) => ({
  name: textOrder(db, sql`name`),
  created: 'created_at',
  lastUsed: sql`coalesce(last_used_at, 0)`,
  // Active ones first, as the words are sorted.
  status: sql`1 - active`,
})

interface KeyPage {
  offset: number
  limit: number
  /** Newest first by default. */
  sort?: SortBy<keyof ReturnType<typeof sortColumns>> | undefined
}

export const listKeys = (db: Reader, { sort = '-created', ...choice }: KeyChoice & KeyPage): Promise<SellerKey[]> =>
  filterKeys(db, choice)
    .selectAll()
    .orderBy(...sortOrder(sortColumns(db), sort))
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
