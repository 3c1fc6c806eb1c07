import { countAll } from './count-all.ts'
import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Reader } from './database.ts'
import { type BlockCounts, type BlockStart, type IdBound, startOfBlock } from './id-blocks.ts'
import type { Schema } from './schema.ts'
import type { SearchedRows, SearchedTable } from './search-source.ts'
import type { RowOrder } from './sort-order.ts'

/** Counts, pages and batches of the rows that a list or search matches, the same for all tables. */

/** The number of rows, up to an ID if there is one. */
export function countRows<T extends SearchedTable>({ query, id }: SearchedRows<T>, newestId?: number): Promise<number> {
  const rows = asLicenses(query)
  return countAll(newestId === undefined ? rows : rows.where(id, '<=', newestId))
}

/** The highest ID of an app's rows, or 0. */
export async function newestId<T extends SearchedTable>(
  db: Reader,
  { table, appId }: { table: T; appId: string },
): Promise<number> {
  const row = await db
    .selectFrom(table as 'licenses')
    .select('id')
    .where('app_id', '=', appId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return Number(row?.id ?? 0)
}

/**
 * Number of rows, counted no further than `max`; whether there are more. With a page by ID, also the IDs of that page, so
 * that a search that reads all rows does so once.
 */
export async function countRowsUpTo<T extends SearchedTable>(
  db: Database,
  { query, id }: SearchedRows<T>,
  max: number,
  page?: PageById,
): Promise<RowCount> {
  const found = asLicenses(query)
    .select(id.as('id'))
    .limit(max + 1)
  if (page) {
    const rows = await db.reports
      .with('found', () => found)
      .selectFrom('found')
      .select((select) => ['id', select.selectFrom('found').select(select.fn.countAll<number>().as('n')).as('n')])
      .orderBy('id', page.ascending ? 'asc' : 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute()
    const [first] = rows
    const isMore = Number(first?.n) > max
    if (first && !isMore) return { total: Number(first.n), isMore, ids: rows.map((row) => row.id) }
    if (isMore) return { total: max, isMore }
    // Past the last page, no row carries the total.
  }
  return countedUpTo(await countAll(db.reports.selectFrom(found.as('found'))), max)
}

/** The result of counting up to one row more than `max`. */
export const countedUpTo = (count: number, max: number): RowCount => ({
  total: Math.min(count, max),
  isMore: count > max,
})

/** A page of rows by ID, as they were created. */
export interface PageById {
  offset: number
  limit: number
  /** Oldest first. */
  ascending: boolean
}

export interface RowCount {
  total: number
  /** More rows match than were counted. */
  isMore: boolean
  /** Those of the page that was asked for with the count. */
  ids?: readonly number[]
}

/** A page of counted rows. */
export interface CountedPage {
  offset: number
  limit: number
  total: number
  isMore?: boolean | undefined
  /** IDs of the page in its order, if the count brought them. */
  ids?: readonly number[] | undefined
}

/** Up to this number, sorting the rows of a filter is faster than checking all in the order. */
export const sortedAtOnce = 50_000

interface Page extends CountedPage {
  /** Oldest first. */
  ascending?: boolean | undefined
  /** Another order than by ID. */
  order?: RowOrder | undefined
  /** Counts of just these rows, for the order by ID. */
  counts?: BlockCounts | undefined
}

/**
 * One page, newest first unless it has another order. A page in the second half is read from the other end, so that the
 * last page is as cheap as the first; unless not all rows were counted.
 */
export async function rowsOfPage<T extends SearchedTable>(
  db: Database,
  place: { table: T; appId: string },
  rows: SearchedRows<T>,
  { offset, limit: pageSize, total, isMore = false, ids: known, ascending = false, order, counts }: Page,
): Promise<Selectable<Schema[T]>[]> {
  const limit = Math.min(pageSize, Math.max(0, total - offset))
  if (limit === 0) return []
  const fromEnd = !isMore && offset > total / 2
  const part = { limit, offset: fromEnd ? total - offset - limit : offset }
  if (order) return rowsInOrder(db, place, rows, { order, fromEnd, ...part })
  const idsOfPart = async () => {
    const isUpwards = ascending !== fromEnd
    const start: BlockStart = counts ? await startOfBlock(db.reports, counts, { offset: part.offset, isUpwards }) : part
    const found = await idsInOrder(rows, isUpwards ? 'asc' : 'desc', start.bound)
      .limit(part.limit)
      .offset(start.offset)
      .execute()
    return found.map((row) => row.id)
  }
  const ids = known ?? (await idsOfPart())
  if (ids.length === 0) return []
  const ofPage = await db.reports
    .selectFrom(place.table as 'licenses')
    .selectAll()
    .where('app_id', '=', place.appId)
    .where('id', 'in', ids)
    .orderBy('id', ascending ? 'asc' : 'desc')
    .execute()
  return ofPage as unknown as Selectable<Schema[T]>[]
}

interface OrderedPart {
  order: RowOrder
  /** From the end of the list. */
  fromEnd: boolean
  limit: number
  offset: number
}

/** A page in another order than by ID: its keys are read from the index of the order, then its rows. */
async function rowsInOrder<T extends SearchedTable>(
  db: Database,
  place: { table: T; appId: string },
  rows: SearchedRows<T>,
  { order, fromEnd, limit, offset }: OrderedPart,
): Promise<Selectable<Schema[T]>[]> {
  const found = await keysInOrder(rows, { ...order, descending: order.descending !== fromEnd })
    .limit(limit)
    .offset(offset)
    .execute()
  if (found.length === 0) return []
  const keys = found.map(({ key }) => key as string)
  const column = (order.unique ?? 'id') as 'license'
  const ofPage = await db.reports
    .selectFrom(place.table as 'licenses')
    .selectAll()
    .where('app_id', '=', place.appId)
    .where(column, 'in', keys)
    .execute()
  const byKey = new Map(ofPage.map((row) => [String(row[column]), row]))
  const inOrder = (fromEnd ? keys.toReversed() : keys).flatMap((key) => byKey.get(String(key)) ?? [])
  return inOrder as unknown as Selectable<Schema[T]>[]
}

/** The keys of the rows in an order, to be cut into pages. */
export function keysInOrder<T extends SearchedTable>({ query, id }: SearchedRows<T>, order: RowOrder) {
  const { by, unique, isEmptyFirst } = order
  const direction = order.descending ? 'desc' : 'asc'
  const nulls = isEmptyFirst ? sql.raw(order.descending ? ' nulls last' : ' nulls first') : sql``
  const key = unique === undefined ? id : (by[0] as RawBuilder<number | string>)
  const keys = asLicenses(query).select(key.as('key'))
  const sorted = by.reduce((rows, each) => rows.orderBy(sql`${each} ${sql.raw(direction)}${nulls}`), keys)
  return unique === undefined ? sorted.orderBy(id, direction) : sorted
}

function idsInOrder<T extends SearchedTable>(
  { query, id, parts }: SearchedRows<T>,
  direction: 'asc' | 'desc',
  bound?: IdBound,
) {
  const idsOf = (some: SearchedRows<T>['query']) => {
    const ids = asLicenses(some).select(id.as('id'))
    return bound === undefined ? ids : ids.where(id, bound.operator, bound.id)
  }
  const [first = query, ...others] = parts ?? []
  if (others.length === 0) return idsOf(first).orderBy(id, direction)
  return others.reduce((all, part) => all.unionAll(idsOf(part)), idsOf(first)).orderBy('id', direction)
}

interface NextRows {
  afterId: number
  limit: number
}

/** The next rows after `afterId`, oldest first: long reads page by key. With `columns`, only those are read. */
export async function rowsAfter<T extends SearchedTable, C extends keyof Selectable<Schema[T]> & string>(
  { table }: { table: T },
  found: SearchedRows<T>,
  { columns, ...next }: NextRows & { columns?: readonly C[] },
): Promise<Pick<Selectable<Schema[T]>, C>[]> {
  const query = await nextRows(found, next)
  const chosen = columns?.map((column) => `${table}.${column}` as 'licenses.id')
  const rows = await query
    ?.$call((each) => (chosen ? each.select(chosen) : each.selectAll(table as 'licenses')))
    .execute()
  return (rows ?? []) as unknown as Pick<Selectable<Schema[T]>, C>[]
}

/**
 * One column of the next rows after `afterId`, oldest first, as one text with a line for each; and the last of their IDs.
 * A row for each would fill the memory of a long read with garbage. Undefined if no rows are left.
 */
export async function linesAfter<T extends SearchedTable>(
  db: Database,
  { table, column }: { table: T; column: keyof Selectable<Schema[T]> & string },
  found: SearchedRows<T>,
  next: NextRows,
): Promise<{ id: number; lines: string } | undefined> {
  const query = await nextRows(found, next)
  if (!query) return undefined
  const [row] = await db.reports
    .selectFrom(query.select([found.id.as('id'), sql<string>`${sql.ref(`${table}.${column}`)}`.as('line')]).as('next'))
    .select((select) => [
      select.fn.max('id').as('id'),
      sql<string | null>`string_agg(line, ${'\n'} order by id)`.as('lines'),
    ])
    .execute()
  return typeof row?.lines === 'string' ? { id: Number(row.id), lines: row.lines } : undefined
}

/** Undefined if it is known already that none are left. */
async function nextRows<T extends SearchedTable>(found: SearchedRows<T>, { afterId, limit }: NextRows) {
  const { query, id, parts } = found
  const next = asLicenses(query).orderBy(id)
  if (!parts) return next.where(id, '>', afterId).limit(limit)
  const rows = await idsInOrder(found, 'asc', { operator: '>', id: afterId }).limit(limit).execute()
  const ids = rows.map((row) => row.id)
  return ids.length === 0 ? undefined : next.where(id, 'in', ids)
}

/** Kysely cannot type a table chosen at run time; every searched table has the columns used here. */
const asLicenses = <T extends SearchedTable>(query: SearchedRows<T>['query']) =>
  query as unknown as SelectQueryBuilder<Schema, 'licenses', object>
