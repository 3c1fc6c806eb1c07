import type { Migration } from './migration.ts'

/**
 * A trigram index of PostgreSQL leaves out all signs but letters and digits: of `p-7` it knows nothing, and a search for
 * it read all rows. The index therefore has the text with letters for the usual signs (`postgres/searched-rows.ts`).
 */
const indexOf = (table: string) => `
drop index ${table}_search;
create index ${table}_search on ${table}
  using gin (app_id, translate(search_text, '-@._ +/:#', 'qxzjwkvyb') gin_trgm_ops);
`

export const searchedSignsMigration: Migration = {
  name: 'search for signs in names and keys',
  sql: (engine) => (engine === 'postgres' ? ['licenses', 'users'].map(indexOf).join('') : 'select 1;'),
}
