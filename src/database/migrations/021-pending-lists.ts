import type { Migration } from './migration.ts'

/**
 * The pending lists of PostgreSQL's search indexes hold what is written between two cleanups (`postgres/pending-lists.ts`),
 * so that no write has to clean one. In kB; 4 MB is the default, which 6,000 new keys fill.
 */
const limitOf = (table: string) => `
alter index ${table}_search set (gin_pending_list_limit = 32768);
`

export const pendingListsMigration: Migration = {
  name: 'room in the pending lists of search indexes',
  sql: (engine) => (engine === 'postgres' ? ['licenses', 'users'].map(limitOf).join('') : 'select 1;'),
}
