import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { RequestAborted } from '../report-queue.ts'
import type { Schema } from '../schema.ts'
import {
  likePattern,
  type Search,
  type SearchedRows,
  type SearchedTable,
  type SearchSource,
  shortestIndexedSearch,
  spellingsOf,
} from '../search-source.ts'
import type { ReportThreads } from './report-threads.ts'
import { bodyOf, matchOfApp } from './trigram-index.ts'

interface SearchDependencies {
  reports: Kysely<Schema>
  threads: ReportThreads
  onError?: ((error: unknown) => void) | undefined
}

/** Uses the trigram index once it has all rows of the app; a text too short for it is searched in every row. */
export async function searchedRows<T extends SearchedTable>(
  { reports, threads, onError }: SearchDependencies,
  source: SearchSource<T>,
  { appId, text }: Search,
): Promise<SearchedRows<T>> {
  const search = { appId, text: text?.trim() }
  if (!search.text || !usesIndex(search.text)) return allRows(reports, source, search)
  try {
    await threads.catchUpIndex(appId)
    return indexedRows(reports, source, search)
  } catch (error) {
    if (error instanceof RequestAborted) throw error
    // Without its index, a search is slow but correct.
    onError?.(error)
    return allRows(reports, source, search)
  }
}

/** Whether the index can find a text; shorter texts are searched in every row. */
const usesIndex = (text: string): boolean => [...text].length >= shortestIndexedSearch

/** Lets the thread check every thousand rows whether the caller is still waiting. */
const goesOn = (id: string) => sql<boolean>`(${sql.raw(id)} % 1024 <> 0 or report_goes_on())`

function allRows<T extends SearchedTable>(
  db: Kysely<Schema>,
  { table, columns }: SearchSource<T>,
  { appId, text = '' }: Search,
): SearchedRows<T> {
  let query = db
    .selectFrom(table as 'licenses')
    .where('app_id', '=', appId)
    .where(goesOn(`${table}.id`))
  if (text !== '') {
    const body = sql.raw(bodyOf(columns))
    const isLike = spellingsOf(text).map((each) => sql<boolean>`${body} like ${likePattern(each)} escape '\\'`)
    query = query.where(sql<boolean>`(${sql.join(isLike, sql` or `)})`)
  }
  return { query: query as unknown as SelectQueryBuilder<Schema, T, object>, id: sql.ref<number>(`${table}.id`) }
}

/**
 * The hits of the index in ID order, each joined with its row: a page reads no more rows than it shows, even with
 * hundreds of thousands of hits. An index on the app would only mislead SQLite here.
 */
function indexedRows<T extends SearchedTable>(
  db: Kysely<Schema>,
  { table }: SearchSource<T>,
  { appId, text = '' }: Search,
): SearchedRows<T> {
  const index = `${table}_index`
  const query = db
    .selectFrom(sql<object>`search.${sql.raw(index)}`.as(index))
    .crossJoin(table as 'licenses')
    .where(sql<boolean>`${sql.ref(`${table}.id`)} = ${sql.raw(index)}.rowid`)
    .where(goesOn(`${index}.rowid`))
    .where(sql<boolean>`${sql.raw(index)} match ${matchOfApp(appId, text)}`)
    .where(sql<boolean>`+${sql.ref(`${table}.app_id`)} = ${appId}`)
  return {
    query: query as unknown as SelectQueryBuilder<Schema, T, object>,
    id: sql.raw<number>(`${index}.rowid`),
  }
}
