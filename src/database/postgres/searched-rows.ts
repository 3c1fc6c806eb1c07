import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import { likePattern, type Search, type SearchedRows, type SearchedTable, type SearchSource } from '../search-source.ts'

/** Uses the trigram index on `search_text` where PostgreSQL estimates that it pays off. */
export function searchedRows<T extends SearchedTable>(
  db: Kysely<Schema>,
  { table }: SearchSource<T>,
  { appId, text: searchText }: Search,
): SearchedRows<T> {
  const text = searchText?.trim() ?? ''
  let query = db.selectFrom(table as 'licenses').where('app_id', '=', appId)
  if (text !== '') query = query.where(sql<boolean>`${sql.ref(`${table}.search_text`)} ilike ${likePattern(text)}`)
  return { query: query as unknown as SelectQueryBuilder<Schema, T, object>, id: sql.ref<number>(`${table}.id`) }
}
