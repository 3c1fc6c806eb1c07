import type { Engine } from '../../database.ts'

const sqlite = `
-- Rows whose searched text changed since the trigram index last looked. A search waits for the changes of its own app
-- only; deleted rows have no app, because they are in no result.
create table search_changes (
  seq integer primary key autoincrement,
  source text not null,
  row_id integer not null,
  app_id text
);
create index search_changes_app on search_changes (app_id, seq) where app_id is not null;
`

/** With the app in PostgreSQL's trigram indexes a search reads hits of its own app only; SQLite's index is its own file. */
const postgres = `
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
`

/** What the search of licenses and users needs before their tables. */
export const search = (engine: Engine): string => (engine === 'sqlite' ? sqlite : postgres)
