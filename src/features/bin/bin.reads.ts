import { type Selectable, sql } from 'kysely'
import { type BinKind, binKinds, binRetentionSeconds, lostSubscriptions } from '#contract/bin.ts'
import { maxCounted } from '#contract/fields.ts'
import type { SortBy } from '#contract/sort-field.ts'
import type { Reader, Transaction } from '#database/database.ts'
import { withoutIndex } from '#database/engine-differences.ts'
import { locking } from '#database/row-lock.ts'
import { countAll } from '#database/count-all.ts'
import { countedUpTo, type RowCount } from '#database/searched-rows.ts'
import { containsText } from '#database/search-source.ts'
import type { Schema } from '#database/schema.ts'

export type BinItem = Selectable<Schema['bin_items']>

export interface BinFilter {
  appId: string
  kind?: BinKind | undefined
  search?: string | undefined
  now: number
}

function filterBin(db: Reader, { appId, kind, search, now }: BinFilter) {
  const query = db
    .selectFrom('bin_items')
    .where('app_id', '=', appId)
    .where('deleted_at', '>', now - binRetentionSeconds)
    // Always, because a newer version beside this one may have put other kinds into the bin.
    .where(withoutIndex<string>(db, 'bin_items.kind'), 'in', kind ? [kind] : binKinds)
  const text = search?.trim() ?? ''
  if (text === '') return query
  return query.where(({ eb, or }) => or([containsText(sql.ref('name'), text), eb('row_key', '=', text)]))
}

/** Number of items, counted up to a maximum; whether there are more. */
export async function countBin(db: Reader, filter: BinFilter): Promise<RowCount> {
  const found = filterBin(db, filter)
    .select('id')
    .limit(maxCounted + 1)
  return countedUpTo(await countAll(db.selectFrom(found.as('found'))), maxCounted)
}

export async function countKinds(db: Reader, filter: BinFilter): Promise<{ kind: BinKind; count: number }[]> {
  const counts = []
  for (const kind of binKinds) counts.push({ kind, count: (await countBin(db, { ...filter, kind })).total })
  return counts
}

export type BinSort = SortBy<'deleted'>

interface BinPage extends BinFilter {
  offset: number
  limit: number
  sort?: BinSort | undefined
}

/** One page, newest first by default. */
export function listBin(db: Reader, { offset, limit, sort = '-deleted', ...filter }: BinPage): Promise<BinItem[]> {
  const direction = sort === 'deleted' ? 'asc' : 'desc'
  return filterBin(db, filter)
    .selectAll()
    .orderBy('deleted_at', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
}

/** The items with these IDs, newest first, locked until the transaction ends. */
export const lockItems = (
  trx: Transaction,
  { appId, now, ids }: { appId: string; now: number; ids: readonly number[] },
): Promise<BinItem[]> => {
  const query = trx
    .selectFrom('bin_items')
    .selectAll()
    .where('app_id', '=', appId)
    .where('deleted_at', '>', now - binRetentionSeconds)
    .where('id', 'in', [...ids])
    .orderBy('id', 'desc')
  return locking(trx, query).execute()
}

/** The oldest items that were deleted until now, locked until the transaction ends. */
export const lockOldestItems = (
  trx: Transaction,
  { appId, now, offset, limit }: { appId: string; now: number; offset: number; limit: number },
): Promise<Pick<BinItem, 'id' | 'kind' | 'row_key'>[]> => {
  const query = trx
    .selectFrom('bin_items')
    .select(['id', 'kind', 'row_key'])
    .where('app_id', '=', appId)
    .where('deleted_at', '<=', now)
    .orderBy('deleted_at')
    .orderBy('id')
    .offset(offset)
    .limit(limit)
  return locking(trx, query).execute()
}

interface DeletionPage {
  appId: string
  now: number
  operation: string
  /** ID of the last item seen. */
  before: number
  limit: number
}

/**
 * The next items of a deletion, newest first, locked until the transaction ends. What users lost with a subscription is
 * as much as a whole page, so that it comes last, and alone.
 */
export async function lockItemsOfDeletion(trx: Transaction, page: DeletionPage): Promise<BinItem[]> {
  const next = await trx
    .selectFrom('bin_items')
    .select(['id', 'kind'])
    .where('app_id', '=', page.appId)
    .where('operation_id', '=', page.operation)
    .where('deleted_at', '>', page.now - binRetentionSeconds)
    .where('id', '<', page.before)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute()
  const lost = next.findIndex(({ kind }) => kind === lostSubscriptions)
  const ids = (lost === -1 ? next : next.slice(0, lost + 1)).map(({ id }) => Number(id))
  return ids.length === 0 ? [] : lockItems(trx, { ...page, ids })
}

/** Items of any app by their IDs, locked until the transaction ends. */
export const lockItemsById = (trx: Transaction, ids: readonly number[]): Promise<Pick<BinItem, 'id' | 'content'>[]> => {
  const query = trx
    .selectFrom('bin_items')
    .select(['id', 'content'])
    .where('id', 'in', [...ids])
    .orderBy('id', 'desc')
  return locking(trx, query).execute()
}
