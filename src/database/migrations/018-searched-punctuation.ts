import type { Migration } from './migration.ts'

/**
 * PostgreSQL's trigram index ignores punctuation, so a search for `p-7` read all rows. The index therefore contains the
 * text with a letter for each punctuation mark that names and keys use (`postgres/searched-rows.ts`).
 */
const indexOf = (table: string) => `
drop index ${table}_search;
create index ${table}_search on ${table}
  using gin (app_id, translate(search_text, '-@._ +/:#', 'qxzjwkvyb') gin_trgm_ops);
`

export const searchedPunctuationMigration: Migration = {
  name: 'search for punctuation in names and keys',
  sql: (engine) => (engine === 'postgres' ? ['licenses', 'users'].map(indexOf).join('') : 'select 1;'),
}
