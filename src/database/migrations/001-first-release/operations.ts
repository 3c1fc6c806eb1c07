/** Replies that a repeated request gets again, and what bulk acts can be undone from. */
export const operations = (): string => `
create table idempotent_replies (
  actor text not null,
  idempotency_key text not null,
  request_hash text not null,
  reply text not null,
  created_at bigint not null,
  primary key (actor, idempotency_key)
);
create index idempotent_replies_age on idempotent_replies (created_at);

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
`
