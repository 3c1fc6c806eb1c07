export const undoMigration = {
  name: 'durations by their name, and what acts on many rows can be undone from',
  sql: () => `
alter table licenses rename column expiry to duration_seconds;

-- An act on many rows; each of its batches keeps the rows' states before and after as JSON.
create table undo_operations (
  id text primary key,
  app_id text not null references apps (id) on delete cascade,
  act text not null,
  created_at bigint not null
);
create index undo_operations_age on undo_operations (created_at);
create index undo_operations_app on undo_operations (app_id);

create table undo_batches (
  operation_id text not null references undo_operations (id) on delete cascade,
  number integer not null,
  states text not null,
  primary key (operation_id, number)
);
`,
}
