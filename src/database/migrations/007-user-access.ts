import type { Engine } from '../database.ts'

/** Later than any time: a subscription that never ends. */
const never = '9007199254740991'

const lastEnd = (user: string) => `(
  select coalesce(max(coalesce(expires_at, ${never})), 0) from user_subscriptions
  where app_id = ${user}.app_id and user_id = ${user}.user_id
)`

/**
 * `access_until`: the last moment at which any subscription of a user runs (epoch seconds, 0 without
 * one), kept by triggers on what users hold, so that lists by status ask one index.
 */
const column = `
alter table users add column access_until bigint not null default 0;
update users set access_until = (
  select coalesce(max(coalesce(held.expires_at, ${never})), 0) from user_subscriptions held
  where held.app_id = users.app_id and held.user_id = users.id
);
`

const sqlite = `
drop index users_app;
drop index users_state;
-- They hold all that a list by status asks. The computed state would send SQLite to the rows.
create index users_list on users (app_id, id, banned, paused, access_until);
create index users_access on users (app_id, banned, paused, access_until);

create trigger user_access_given after insert on user_subscriptions begin
  update users set access_until = max(access_until, coalesce(new.expires_at, ${never})) where id = new.user_id;
end;
create trigger user_access_moved after update of expires_at on user_subscriptions
  when old.expires_at is not new.expires_at begin
  update users set access_until = ${lastEnd('new')} where id = new.user_id;
end;
create trigger user_access_taken after delete on user_subscriptions begin
  update users set access_until = ${lastEnd('old')} where id = old.user_id;
end;
`

/** The user's row is held before what it holds is read: of parallel changes the last one sees them all. */
const postgres = `
drop index users_state;
create index users_list on users (app_id, id) include (banned, paused, access_until);
create index users_access on users (app_id, banned, paused, access_until);

create function keep_user_access() returns trigger language plpgsql as $$
declare held user_subscriptions := case when tg_op = 'DELETE' then old else new end;
begin
  perform 1 from users where app_id = held.app_id and id = held.user_id for no key update;
  update users set access_until = ${lastEnd('held')} where app_id = held.app_id and id = held.user_id;
  return null;
end $$;
create trigger user_access_changed after insert or update of expires_at or delete on user_subscriptions
  for each row execute function keep_user_access();
`

export const userAccessMigration = {
  name: 'until when users have access',
  sql: (engine: Engine) => column + (engine === 'sqlite' ? sqlite : postgres),
}
