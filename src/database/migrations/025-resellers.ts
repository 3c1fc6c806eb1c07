import type { Engine } from '../database.ts'
import { flag, identity } from './column-types.ts'

const tables = (engine: Engine) => `
alter table licenses add column price bigint check (price >= 0);
create index licenses_reseller_list on licenses (app_id, reseller_id${engine === 'postgres' ? ', id' : ''})
  where reseller_id is not null;
create index licenses_reseller_use on licenses (app_id, reseller_id, used, used_by_user_id, price)
  where reseller_id is not null;

-- What a reseller has of one app: three accounts whose balances sum up to zero. 'source' is where credits come from,
-- 'spent' what the licenses that exist were paid with.
create table credit_accounts (
  app_id text not null,
  reseller_id text not null,
  kind text not null check (kind in ('balance', 'source', 'spent')),
  balance bigint not null default 0 check (kind = 'source' or balance >= 0),
  ${flag('closed')},
  primary key (app_id, reseller_id, kind)
);

-- Append-only: a mistake is set right by another transfer. Without foreign keys, whose row locks would come in another
-- order than those of the accounts.
create table credit_transfers (
  id ${identity(engine)}${engine === 'postgres' ? ' primary key' : ''},
  app_id text not null,
  reseller_id text not null,
  idempotency_key text not null unique,
  kind text not null check (kind in ('addition', 'set', 'deduction', 'refund', 'settlement')),
  debit text not null check (debit in ('balance', 'source', 'spent')),
  credit text not null check (credit in ('balance', 'source', 'spent')),
  amount bigint not null check (amount > 0),
  license_id bigint,
  description text not null,
  level integer,
  created_at bigint not null,
  check (debit <> credit),
  check ((kind = 'refund') = (license_id is not null))
);
create index credit_transfers_history on credit_transfers (app_id, reseller_id, id);
create unique index credit_transfers_refund on credit_transfers (app_id, license_id) where kind = 'refund';

-- An owner may have ten thousand: those of one who is gone follow in batches, not with the row of the account.
create table resellers (
  id text primary key,
  owner_id text not null,
  username text not null,
  username_key text not null unique,
  email text,
  email_key text unique,
  password_hash text,
  ${flag('banned')},
  setup_token_hash text unique,
  setup_expires_at bigint,
  created_at bigint not null
);
create index resellers_list on resellers (owner_id, created_at, id);

create table reseller_sessions (
  id_hash text primary key,
  reseller_id text not null references resellers (id) on delete cascade,
  ip text not null,
  user_agent text not null,
  ${flag('remember_me')},
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null
);
create index reseller_sessions_reseller on reseller_sessions (reseller_id);
create index reseller_sessions_expiry on reseller_sessions (expires_at);

-- What a reseller may sell of an app: lists as JSON. No level listed means every level.
create table reseller_apps (
  app_id text not null,
  reseller_id text not null references resellers (id) on delete cascade,
  allowed_plans text not null,
  plan_costs text not null,
  allowed_levels text not null,
  created_at bigint not null,
  primary key (app_id, reseller_id)
);
create index reseller_apps_reseller on reseller_apps (reseller_id, created_at);

create table reseller_domains (
  reseller_id text primary key references resellers (id) on delete cascade,
  domain text not null unique,
  company_name text not null,
  logo_url text not null,
  primary_color text not null,
  secondary_color text not null,
  proof text not null,
  proved_at bigint,
  created_at bigint not null
);
`

/** Transfers of an app that is being removed go with it; no others ever do. */
const appIsThere = `exists (select 1 from apps where id = old.app_id and deleted_at is null)`

const sqliteTriggers = `
create trigger credit_transfers_unchanged before update on credit_transfers begin
  select raise(abort, 'credit transfers never change');
end;
create trigger credit_transfers_stay before delete on credit_transfers when ${appIsThere} begin
  select raise(abort, 'credit transfers never go');
end;
`

const postgresTriggers = `
create function refuse_change_of_transfer() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then raise exception 'credit transfers never change'; end if;
  if ${appIsThere} then raise exception 'credit transfers never go'; end if;
  return old;
end $$;
create trigger credit_transfers_unchanged before update or delete on credit_transfers
  for each row execute function refuse_change_of_transfer();
`

export const resellersMigration = {
  name: 'resellers and their credits',
  sql: (engine: Engine) => tables(engine) + (engine === 'sqlite' ? sqliteTriggers : postgresTriggers),
}
