/**
 * Imports of licenses and users. `import_batches` has the result of each batch, so that a repeated one creates nothing
 * twice. `keep_until` is for undo records that are kept longer than half an hour.
 */
export const importsMigration = {
  name: 'imports',
  sql: () => `
create table imports (
  id text primary key,
  app_id text not null references apps (id) on delete cascade,
  kind text not null,
  source text not null,
  file_name text not null,
  fingerprint text not null,
  settings text not null,
  total_rows bigint not null,
  done_rows bigint not null default 0,
  batches integer not null default 0,
  created bigint not null default 0,
  overwritten bigint not null default 0,
  skipped bigint not null default 0,
  created_by text not null,
  created_at bigint not null,
  undone_at bigint
);
create index imports_list on imports (app_id, created_at);
create index imports_age on imports (created_at);

create table import_batches (
  import_id text not null references imports (id) on delete cascade,
  number integer not null,
  request_hash text not null,
  result text not null,
  primary key (import_id, number)
);

alter table undo_operations add column keep_until bigint;
create index undo_operations_kept on undo_operations (keep_until) where keep_until is not null;

alter table apps add column imported_hash_cost integer;
`,
}
