import type { Engine } from '../../database.ts'
import { flag, identityKey } from '../column-types.ts'

const tables = (engine: Engine) => `
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
  id ${identityKey(engine)},
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

export const credits = (engine: Engine): string =>
  tables(engine) + (engine === 'sqlite' ? sqliteTriggers : postgresTriggers)
