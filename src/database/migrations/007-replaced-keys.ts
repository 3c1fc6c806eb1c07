/** The keys that an app had before; programs in use still contain them. */
export const replacedKeysMigration = {
  name: 'replaced keys of apps',
  sql: () => `
create table app_replaced_keys (
  app_id text not null references apps (id) on delete cascade,
  number integer not null,
  root_public_key text not null,
  announcement text not null,
  box_public_key text not null,
  box_private_sealed text not null,
  replaced_at bigint not null,
  primary key (app_id, number)
);
`,
}
