import type { SearchSource } from '#database/search-source.ts'

/** What a search on the licenses screen looks through. */
export const licensesSearch: SearchSource<'licenses'> = {
  table: 'licenses',
  columns: ['license', 'notes', 'used_by', 'generated_by'],
}
