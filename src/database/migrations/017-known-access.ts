import type { Migration } from './migration.ts'

/** Later than any time: a subscription that never ends. */
const never = '9007199254740991'

const sqlite = `
drop trigger user_access_given;
create trigger user_access_given after insert on user_subscriptions begin
  update users set access_until = coalesce(new.expires_at, ${never})
    where id = new.user_id and access_until < coalesce(new.expires_at, ${never});
end;
`

/** The user's row is locked before its subscriptions are read: of parallel changes the last one sees them all. */
const postgres = `
create or replace function keep_user_access() returns trigger language plpgsql as $$
declare
  held user_subscriptions := case when tg_op = 'DELETE' then old else new end;
  known bigint;
  ends bigint;
begin
  select access_until into known from users where app_id = held.app_id and id = held.user_id for no key update;
  select coalesce(max(coalesce(expires_at, ${never})), 0) into ends from user_subscriptions
    where app_id = held.app_id and user_id = held.user_id;
  if known <> ends then
    update users set access_until = ends where app_id = held.app_id and id = held.user_id;
  end if;
  return null;
end $$;
`

/**
 * A subscription that does not change the end of the access does not write the user's row, of which PostgreSQL would add
 * a new version to each index. Code that creates a user together with subscriptions stores the end with the user.
 */
export const knownAccessMigration: Migration = {
  name: 'users whose access has a known end are not written again',
  sql: (engine) => (engine === 'sqlite' ? sqlite : postgres),
}
