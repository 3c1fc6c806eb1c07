import type { Engine } from '../database.ts'
import { countFunction } from './count-function.ts'

/** Counts of users by flags (0 plain, 1 paused, 2 banned) and their search, as licenses have them. */
const shared = `
create table user_variables (
  app_id text not null references apps (id) on delete cascade,
  user_id bigint not null,
  name text not null,
  data text not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (app_id, user_id, name)
);

create table user_counts (
  app_id text not null references apps (id) on delete cascade,
  stripe integer not null,
  state smallint not null,
  count bigint not null,
  primary key (app_id, stripe, state)
);
create index user_subscriptions_level on user_subscriptions (app_id, level);
`

const sqlite = `
alter table users add column state smallint generated always as (case when banned = 1 then 2 else paused end) virtual;
create index users_state on users (app_id, state);

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
  insert into search_changes (source, row_id) values ('users', new.id);
end;
insert into user_counts select app_id, id % 16, state, count(*) from users group by 1, 2, 3;
`

const postgres = `
alter table users add column state smallint generated always as (case when banned = 1 then 2 else paused end) stored;
alter table users add column search_text text generated always as
  (username || chr(10) || email || chr(10) || ip) stored;
create index users_state on users (app_id, state, id);
create index users_search on users using gin (search_text gin_trgm_ops);

${countFunction('count_users', 'user_counts')}
create trigger users_counted after insert on users referencing new table as come
  for each statement execute function count_users();
create trigger users_recounted after update on users referencing old table as gone new table as come
  for each statement execute function count_users();
create trigger users_uncounted after delete on users referencing old table as gone
  for each statement execute function count_users();
insert into user_counts select app_id, id % 16, state, count(*) from users group by 1, 2, 3;
`

export const usersSearchMigration = {
  name: 'search, counts and variables of users',
  sql: (engine: Engine) => shared + (engine === 'sqlite' ? sqlite : postgres),
}
