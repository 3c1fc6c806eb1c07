import type { Engine } from '../database.ts'
import { identityKey } from './column-types.ts'

/** Of an owner, an administrator, or a reseller: exactly one of the two columns is set. */
const person = `
  account_id text references accounts (id) on delete cascade,
  reseller_id text references resellers (id) on delete cascade,
  check ((account_id is null) <> (reseller_id is null))`

/** How people arrange the tables of the dashboard, and the filters they saved under a name. */
export const preferencesMigration = {
  name: 'preferences and saved views',
  sql: (engine: Engine) => `
create table preferences (
  id ${identityKey(engine)},
  name text not null,
  value text not null,${person}
);
create unique index preferences_account on preferences (account_id, name);
create unique index preferences_reseller on preferences (reseller_id, name);

create table saved_views (
  id text primary key,
  table_id text not null,
  name text not null,
  name_key text not null,
  query text not null,
  columns text not null,
  created_at bigint not null,${person}
);
create unique index saved_views_account on saved_views (account_id, table_id, name_key);
create unique index saved_views_reseller on saved_views (reseller_id, table_id, name_key);
`,
}
