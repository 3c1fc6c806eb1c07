import type { Engine } from '../database.ts'

/**
 * Sealing gives a row its place, its hashes and the salt of its address, once; only the salt may go, with the address.
 * A process of before, which knows no salts, seals nothing more: it would begin another chain.
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
create or replace function refuse_second_seal() returns trigger language plpgsql as $$
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

export const addressRetentionMigration = {
  name: 'retention of addresses',
  sql: (engine: Engine) => `
-- What the chain has of an address: a hash with a salt that goes with it. All rows are sealed anew.
alter table audit add column ip_hash text;
alter table audit add column ip_salt text;
drop trigger audit_is_sealed_once${engine === 'postgres' ? ' on audit' : ''};
update audit set seq = null, hash = null where seq is not null;
${sealOnce(engine)}
-- Up to this place addresses are blanked.
alter table audit_head add column blanked_seq bigint not null default 0;
update audit_head set seq = 0, hash = '', mac = '';

-- What has run out goes in batches.
create index login_failures_age on login_failures (first_at, blocked_until);
create index pending_sign_ins_expiry on pending_sign_ins (expires_at);
`,
}
