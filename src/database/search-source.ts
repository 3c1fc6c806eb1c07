import { type Generated, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** Tables of app data with IDs in insertion order. */
export type SearchedTable = {
  [T in keyof Schema]: Schema[T] extends { id: Generated<number>; app_id: string } ? T : never
}[keyof Schema]

/** A table that can be searched for any part of its text, with a trigram index. */
export interface SearchSource<T extends SearchedTable = SearchedTable> {
  table: T
  /** Columns searched together. */
  columns: readonly string[]
}

/** Input of a search; without a text, it returns all rows of the app. */
export interface Search {
  appId: string
  text?: string | undefined
}

/** The rows of an app in a table, to be filtered, counted and paged by `id`. */
export interface SearchedRows<T extends SearchedTable> {
  query: SelectQueryBuilder<Schema, T, object>
  /** Expressions to sort and compare by, so that a page of a long list is read without the rest of it. */
  id: RawBuilder<number>
  /**
   * The same rows in parts that have no row in common. Each is in ID order in an index, so that a page is merged from
   * them; the whole would be sorted.
   */
  parts?: readonly SelectQueryBuilder<Schema, T, object>[]
}

/** Escapes `%` and `_` in user input. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Texts shorter than a trigram cannot use the index. */
export const shortestIndexedSearch = 3

/**
 * A text with its letters in either case: SQLite's `like`, and PostgreSQL's `ilike` in a database of locale C, ignore only
 * that of ASCII. A text that is long enough for the index is only lowered, raised, and capitalized as a whole.
 */
export function spellingsOf(text: string): string[] {
  const characters = [...text]
  if (characters.length >= shortestIndexedSearch) {
    const lower = text.toLowerCase()
    const capitalized = lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())
    return [...new Set([text, lower, text.toUpperCase(), capitalized].map(lowerAscii))]
  }
  return characters.reduce<string[]>(
    (spellings, character) => spellings.flatMap((start) => casesOf(character).map((each) => start + each)),
    [''],
  )
}

const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Whether a text contains another one, ignoring case as in `spellingsOf`; for tables without a `SearchSource`. */
export function containsText(text: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  const isLike = spellingsOf(part).map((each) => sql`lower(${text}) like lower(${likePattern(each)}) escape '\\'`)
  return sql`(${sql.join(isLike, sql` or `)})`
}

const casesOf = (character: string): string[] =>
  character <= '\x7f' ? [character] : [...new Set([character, character.toLowerCase(), character.toUpperCase()])]
