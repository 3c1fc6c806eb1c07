import type { Engine } from '../database.ts'

/** With the app in PostgreSQL's trigram index a search reads hits of its own app only; SQLite's is a file of its own. */
const postgres = `
create extension if not exists btree_gin;
drop index licenses_search;
create index licenses_search on licenses using gin (app_id, search_text gin_trgm_ops);
drop index users_search;
create index users_search on users using gin (app_id, search_text gin_trgm_ops);
`

export const searchOfOneAppMigration = {
  name: 'searches by app',
  sql: (engine: Engine) => (engine === 'postgres' ? postgres : ''),
}
