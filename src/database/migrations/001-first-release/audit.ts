import type { Engine } from '../../database.ts'
import { identityKey, thenId } from '../column-types.ts'

const tables = (engine: Engine) => `
create table audit (
  id ${identityKey(engine)},
  at bigint not null,
  actor_type text not null,
  actor_id text not null,
  owner_id text not null,
  app_id text,
  act text not null,
  target text not null,
  details text not null default '{}',
  ip text not null,
  request_id text not null,
  -- Its place in the chain and the hash that ends there; null until the row is sealed.
  seq bigint,
  hash text,
  -- What the chain has of an address: a hash with a salt that goes with it.
  ip_hash text,
  ip_salt text
);
create index audit_resellers on audit (app_id, at) where actor_type = 'reseller';
create index audit_chain on audit (seq${thenId(engine)});
create index audit_owner on audit (owner_id, at${thenId(engine)});
create index audit_target on audit (target, app_id${thenId(engine)});
create index audit_time on audit (at${thenId(engine)});
-- By act, actor and address, at a million rows too.
create index audit_owner_act on audit (owner_id, act, at${thenId(engine)});
create index audit_act on audit (act, at${thenId(engine)});
create index audit_actor on audit (actor_id, at${thenId(engine)});
create index audit_ip on audit (ip, at${thenId(engine)});
-- By kind of actor and by app: what few rows have is found among a million at once, too.
create index audit_owner_kind on audit (owner_id, actor_type, at${thenId(engine)});
create index audit_kind on audit (actor_type, at${thenId(engine)});
create index audit_app on audit (app_id, at${thenId(engine)});

create table audit_head (
  id smallint primary key check (id = 1),
  seq bigint not null,
  hash text not null,
  mac text not null,
  logged_at bigint not null,
  -- Up to this place addresses are blanked.
  blanked_seq bigint not null default 0
);
insert into audit_head (id, seq, hash, mac, logged_at) values (1, 0, '', '', 0);
`

/**
 * The audit only grows. What it says of a person may be blanked when that person is erased; who
 * did what and when stays.
 */
const appendOnly = (engine: Engine): string =>
  engine === 'sqlite'
    ? `
create trigger audit_is_never_deleted before delete on audit
begin
  select raise(abort, 'audit rows are never deleted');
end;

create trigger audit_is_never_changed before update on audit
when old.id is not new.id or old.at is not new.at or old.actor_type is not new.actor_type
  or old.actor_id is not new.actor_id or old.owner_id is not new.owner_id or old.app_id is not new.app_id
  or old.act is not new.act or old.request_id is not new.request_id
  or (new.target is not old.target and new.target <> '')
  or (new.details is not old.details and new.details <> '{}')
  or (new.ip is not old.ip and new.ip <> '')
begin
  select raise(abort, 'audit rows are never changed');
end;
`
    : `
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (new.id, new.at, new.actor_type, new.actor_id, new.owner_id, new.app_id, new.act, new.request_id)
        is not distinct from
        (old.id, old.at, old.actor_type, old.actor_id, old.owner_id, old.app_id, old.act, old.request_id)
      and new.target in (old.target, '') and new.details in (old.details, '{}') and new.ip in (old.ip, '')
    then
      return new;
    end if;
  end if;
  raise exception 'audit rows are never changed or deleted';
end
$$;

create trigger audit_only_grows before update or delete on audit
  for each row execute function refuse_audit_change();

create trigger audit_is_never_emptied before truncate on audit
  for each statement execute function refuse_audit_change();
`

/**
 * Sealing gives a row its place, its hashes and the salt of its address, once; only the salt may go, with the address.
 * A process that knows no salts seals nothing: it would begin another chain.
 */
const sealOnce = (engine: Engine): string =>
  engine === 'sqlite'
    ? `
create trigger audit_is_sealed_once before update on audit
when old.seq is not null and (new.seq is not old.seq or new.hash is not old.hash or new.ip_hash is not old.ip_hash
  or (new.ip_salt is not old.ip_salt and (new.ip_salt is not null or new.ip <> '')))
begin
  select raise(abort, 'audit rows are sealed once');
end;

create trigger audit_is_sealed_with_its_address before update on audit
when new.seq is not null and new.ip_hash is null
begin
  select raise(abort, 'audit rows are sealed by a newer version');
end;
`
    : `
create function refuse_second_seal() returns trigger language plpgsql as $$
begin
  if (new.seq, new.hash, new.ip_hash) is distinct from (old.seq, old.hash, old.ip_hash)
    or (new.ip_salt is distinct from old.ip_salt and (new.ip_salt is not null or new.ip <> '')) then
    raise exception 'audit rows are sealed once';
  end if;
  return new;
end
$$;

create trigger audit_is_sealed_once before update on audit
  for each row when (old.seq is not null) execute function refuse_second_seal();

create function refuse_older_seal() returns trigger language plpgsql as $$
begin
  raise exception 'audit rows are sealed by a newer version';
end
$$;

create trigger audit_is_sealed_with_its_address before update on audit
  for each row when (new.seq is not null and new.ip_hash is null) execute function refuse_older_seal();
`

export const audit = (engine: Engine): string => tables(engine) + appendOnly(engine) + sealOnce(engine)
