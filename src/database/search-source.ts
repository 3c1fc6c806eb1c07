import type { Generated, RawBuilder, SelectQueryBuilder } from 'kysely'
import type { Schema } from './schema.ts'

/** Tables of apps' rows that are numbered in the order in which they were made. */
export type SearchedTable = {
  [T in keyof Schema]: Schema[T] extends { id: Generated<number>; app_id: string } ? T : never
}[keyof Schema]

/** A table whose rows people search by any part of their text, through a trigram index. */
export interface SearchSource<T extends SearchedTable = SearchedTable> {
  table: T
  /** Columns that are searched together. */
  columns: readonly string[]
}

/** What a search reads: without a text all rows of the app. */
export interface Search {
  appId: string
  text?: string | undefined
}

/** An app's rows of a table, to be narrowed, counted and paged by `id`. */
export interface SearchedRows<T extends SearchedTable> {
  query: SelectQueryBuilder<Schema, T, object>
  /** What to order by and compare with, so that a page of a long list is read without the rest of it. */
  id: RawBuilder<number>
}

/** `%` and `_` mean themselves in what a person types. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Fewer characters than a trigram can't use the index. */
export const shortestIndexedSearch = 3
