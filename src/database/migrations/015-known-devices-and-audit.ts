import type { Engine } from '../database.ts'

/**
 * The audit only grows (R-LOG-02). What it says of a person may be blanked when that person is erased (R-PII-01); who
 * did what and when stays.
 */
const appendOnlyAudit = (engine: Engine): string =>
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

export const knownDevicesMigration = {
  name: 'known devices, an audit that only grows',
  sql: (engine: Engine) => `
-- Epoch seconds: a browser that signed in before then is a stranger.
alter table accounts add column devices_since bigint not null default 0;
${appendOnlyAudit(engine)}`,
}
