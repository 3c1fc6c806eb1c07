/** A table whose rows people search by any part of their text, through a trigram index. */
export interface SearchSource {
  table: string
  /** Columns that are searched together. */
  columns: readonly string[]
}

/** `%` and `_` mean themselves in what a person types. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Fewer characters than a trigram can't use the index. */
export const shortestIndexedSearch = 3
