import type { Engine } from '../database.ts'

/** Sealing gives a row its place and its hash, once; whatever else changes is refused as before. */
const sealOnce = (engine: Engine): string =>
  engine === 'sqlite'
    ? `
create trigger audit_is_sealed_once before update on audit
when old.seq is not null and (new.seq is not old.seq or new.hash is not old.hash)
begin
  select raise(abort, 'audit rows are sealed once');
end;
`
    : `
create function refuse_second_seal() returns trigger language plpgsql as $$
begin
  if (new.seq, new.hash) is distinct from (old.seq, old.hash) then
    raise exception 'audit rows are sealed once';
  end if;
  return new;
end
$$;

create trigger audit_is_sealed_once before update on audit
  for each row when (old.seq is not null) execute function refuse_second_seal();
`

export const auditChainMigration = {
  name: 'a chain of hashes over the audit, and its search',
  sql: (engine: Engine) => `
-- Its place in the chain and the hash that ends there; null until the row is sealed.
alter table audit add column seq bigint;
alter table audit add column hash text;
create index audit_chain on audit (seq${engine === 'postgres' ? ', id' : ''});

create table audit_head (
  id smallint primary key check (id = 1),
  seq bigint not null,
  hash text not null,
  mac text not null,
  logged_at bigint not null
);
insert into audit_head (id, seq, hash, mac, logged_at) values (1, 0, '', '', 0);
${sealOnce(engine)}
drop index audit_owner;
create index audit_owner on audit (owner_id, at${engine === 'postgres' ? ', id' : ''});
drop index audit_target;
create index audit_target on audit (target, app_id${engine === 'postgres' ? ', id' : ''});
create index audit_time on audit (at${engine === 'postgres' ? ', id' : ''});
`,
}
