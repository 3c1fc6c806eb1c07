import type { SelectQueryBuilder } from 'kysely'
import type { Schema } from './schema.ts'
import type { SearchedRows, SearchedTable } from './search-source.ts'

/** Counts, pages and walks through the rows that a list or a search means; one way for every table. */

export async function countRows<T extends SearchedTable>({ query }: SearchedRows<T>): Promise<number> {
  const { n } = await (query as unknown as SelectQueryBuilder<Schema, 'licenses', object>)
    .select((select) => select.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

interface Page {
  offset: number
  limit: number
  total: number
}

/**
 * The ids of one page, newest first. A page in the far half is read from the other end, so that the
 * last page costs as little as the first.
 */
export async function idsOfPage<T extends SearchedTable>(
  { query, id }: SearchedRows<T>,
  { offset, limit: asked, total }: Page,
): Promise<number[]> {
  const limit = Math.min(asked, Math.max(0, total - offset))
  if (limit === 0) return []
  const fromEnd = offset > total / 2
  const rows = await (query as unknown as SelectQueryBuilder<Schema, 'licenses', object>)
    .select(id.as('id'))
    .orderBy(id, fromEnd ? 'asc' : 'desc')
    .limit(limit)
    .offset(fromEnd ? total - offset - limit : offset)
    .execute()
  return rows.map((row) => row.id)
}

/** The next rows after `afterId`, oldest first: long reads page by key. */
export const rowsAfter = <T extends SearchedTable>(
  { query, id }: SearchedRows<T>,
  { afterId, limit }: { afterId: number; limit: number },
) => query.where(id, '>', afterId).orderBy(id).limit(limit)
