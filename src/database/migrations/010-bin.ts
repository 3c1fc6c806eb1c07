import type { Engine } from '../database.ts'
import { identityKey } from './column-types.ts'

/** Deleted licenses, users and variables that can still be restored. `content` is everything needed for it, as JSON. */
export const binMigration = {
  name: 'bin of deleted things',
  sql: (engine: Engine) => `
create table bin_items (
  id ${identityKey(engine)},
  app_id text not null references apps (id) on delete cascade,
  kind text not null,
  row_id bigint not null,
  name text not null,
  operation_id text not null,
  deleted_at bigint not null,
  deleted_by_type text not null,
  deleted_by text not null,
  content text not null
);
create unique index bin_items_row on bin_items (app_id, kind, row_id);
create index bin_items_operation on bin_items (app_id, operation_id, id);
create index bin_items_list on bin_items (app_id, deleted_at, id);
create index bin_items_age on bin_items (deleted_at);
`,
}
