/** Command lines that receive an app's webhook events, and the events that wait for them. */
export const webhookListenersMigration = {
  name: 'listeners to webhook events',
  sql: () => `
create table webhook_listeners (
  app_id text not null references apps (id) on delete cascade,
  id text not null,
  seller_key_id text not null,
  events text not null,
  last_number bigint not null default 0,
  total_bytes bigint not null default 0,
  followed_at bigint not null,
  created_at bigint not null,
  primary key (app_id, id)
);
create index webhook_listeners_followed on webhook_listeners (followed_at);

create table webhook_listener_events (
  app_id text not null references apps (id) on delete cascade,
  listener_id text not null,
  number bigint not null,
  message_id text not null,
  body text not null,
  bytes_before bigint not null,
  primary key (app_id, listener_id, number)
);
`,
}
