import type { SearchSource } from '#database/search-source.ts'

/** What a search on the users screen looks through. */
export const usersSearch: SearchSource<'users'> = {
  table: 'users',
  columns: ['username', 'email', 'ip'],
}
