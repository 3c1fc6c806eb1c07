import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
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

/** Punctuation, which a trigram index ignores, and the letters that replace it in the index of `search_text`. */
const letters: Record<string, string> = {
  '-': 'q',
  '@': 'x',
  '.': 'z',
  _: 'j',
  ' ': 'w',
  '+': 'k',
  '/': 'v',
  ':': 'y',
  '#': 'b',
}

const withLetters = (text: string): string => text.replace(/[-@._ +/:#]/g, (mark) => letters[mark] ?? mark)

/** Of a text that the index finds, the one that it finds. */
const spellings = (text: string): string[] => ([...text].length < shortestIndexedSearch ? spellingsOf(text) : [text])

/**
 * Uses the trigram index where PostgreSQL estimates that it pays off. The replaced text may match by accident, as `aq7`
 * matches `a-7`, so the text itself is compared, too.
 */
export function searchedRows<T extends SearchedTable>(
  db: Kysely<Schema>,
  { table }: SearchSource<T>,
  { appId, text: searchText }: Search,
): SearchedRows<T> {
  const text = searchText?.trim() ?? ''
  let query = db.selectFrom(table as 'licenses').where('app_id', '=', appId)
  if (text !== '') {
    const stored = sql.ref<string>(`${table}.search_text`)
    const isFound = spellings(text).map((each) => sql<boolean>`${stored} ilike ${likePattern(each)}`)
    // As in the index, letter by letter.
    const indexed = sql`translate(${stored}, '-@._ +/:#', 'qxzjwkvyb')`
    if (isFound.length === 1) query = query.where(sql<boolean>`${indexed} ilike ${likePattern(withLetters(text))}`)
    query = query.where(sql<boolean>`(${sql.join(isFound, sql` or `)})`)
  }
  return { query: query as unknown as SelectQueryBuilder<Schema, T, object>, id: sql.ref<number>(`${table}.id`) }
}
