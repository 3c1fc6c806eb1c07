import type { Engine } from '../../database.ts'
import { flag, identity, shardedKey } from '../column-types.ts'
import { countFunction } from '../count-function.ts'

/** `state`: 0 plain, 1 paused, 2 banned. */
const state = (engine: Engine) =>
  `state smallint generated always as (case when banned = 1 then 2 else paused end) ` +
  (engine === 'sqlite' ? 'virtual' : 'stored')

const searchText = `
  search_text text generated always as (username || chr(10) || email || chr(10) || ip) stored,`

/** SQLite's indexes hold all that a list by status asks: the computed state would send it to the rows. */
const indexes = (engine: Engine) => `
create index users_list on users ${
  engine === 'sqlite'
    ? '(app_id, id, banned, paused, access_until)'
    : '(app_id, id) include (banned, paused, access_until)'
};
create index users_access on users (app_id, banned, paused, access_until);
create index users_machine on users (app_id, hwid_hash) where hwid_hash is not null;
${engine === 'postgres' ? 'create index users_search on users using gin (app_id, search_text gin_trgm_ops);' : ''}
create index users_created on users (app_id, created_at);
`

const tables = (engine: Engine) => `
create table users (
  id ${identity(engine)},
  app_id text not null references apps (id) on delete cascade,
  username text not null,
  username_key text not null,
  password_hash text,
  email text not null default '',
  hwid_hash text,
  ip text not null default '',
  ${flag('banned')},
  ${flag('paused')},
  paused_at bigint,
  created_at bigint not null,
  last_login_at bigint,
  ${state(engine)},${engine === 'postgres' ? searchText : ''}
  -- The last moment at which any subscription of the user runs: epoch seconds, 0 without one. Kept by triggers on
  -- subscriptions, so that lists by status ask one index.
  access_until bigint not null default 0,
  unique (app_id, username_key)${shardedKey(engine, 'app_id', 'id')}
);
${indexes(engine)}
create table user_subscriptions (
  app_id text not null references apps (id) on delete cascade,
  user_id bigint not null,
  level integer not null,
  expires_at bigint,
  license_id bigint,
  created_at bigint not null,
  primary key (app_id, user_id, level)
);
create index user_subscriptions_license on user_subscriptions (app_id, license_id) where license_id is not null;
-- The next users of a level in order: without the user PostgreSQL would read the whole table for a few.
create index user_subscriptions_level on user_subscriptions (app_id, level, user_id);

create table user_variables (
  app_id text not null references apps (id) on delete cascade,
  user_id bigint not null,
  name text not null,
  data text not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (app_id, user_id, name)
);

-- As license_counts.
create table user_counts (
  app_id text not null references apps (id) on delete cascade,
  stripe integer not null,
  state smallint not null,
  count bigint not null,
  primary key (app_id, stripe, state)
);
`

/** Later than any time: a subscription that never ends. */
const never = '9007199254740991'

const lastEnd = (user: string) => `(
  select coalesce(max(coalesce(expires_at, ${never})), 0) from user_subscriptions
  where app_id = ${user}.app_id and user_id = ${user}.user_id
)`

const sqliteTriggers = `
create trigger users_counted after insert on users begin
  insert into user_counts values (new.app_id, new.id % 16, new.state, 1)
    on conflict (app_id, stripe, state) do update set count = count + 1;
end;
create trigger users_recounted after update of banned, paused on users when old.state <> new.state begin
  insert into user_counts values (old.app_id, old.id % 16, old.state, -1)
    on conflict (app_id, stripe, state) do update set count = count - 1;
  insert into user_counts values (new.app_id, new.id % 16, new.state, 1)
    on conflict (app_id, stripe, state) do update set count = count + 1;
end;
create trigger users_uncounted after delete on users begin
  update user_counts set count = count - 1
    where app_id = old.app_id and stripe = old.id % 16 and state = old.state;
  insert into search_changes (source, row_id) values ('users', old.id);
end;
create trigger users_reworded after update of username, email, ip on users
  when old.username is not new.username or old.email is not new.email or old.ip is not new.ip begin
  insert into search_changes (source, row_id, app_id) values ('users', new.id, new.app_id);
end;

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

/** The user's row is locked before its subscriptions are read: of parallel changes the last one sees them all. */
const postgresTriggers = `
${countFunction('count_users', 'user_counts')}
create trigger users_counted after insert on users referencing new table as come
  for each statement execute function count_users();
create trigger users_recounted after update on users referencing old table as gone new table as come
  for each statement execute function count_users();
create trigger users_uncounted after delete on users referencing old table as gone
  for each statement execute function count_users();

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

export const users = (engine: Engine): string =>
  tables(engine) + (engine === 'sqlite' ? sqliteTriggers : postgresTriggers)
