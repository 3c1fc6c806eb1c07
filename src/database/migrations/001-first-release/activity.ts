/** Activity by the hour. Hours are counted since 1970: days of any time zone are made of them. */
export const activity = (): string => `
-- How often something happened in an hour. label: the code of a refusal, the country of a sign-in.
create table activity_hours (
  app_id text not null references apps (id) on delete cascade,
  hour bigint not null,
  metric text not null,
  label text not null,
  count bigint not null,
  primary key (app_id, hour, metric, label)
);
create index activity_hours_age on activity_hours (hour, app_id);

-- Who signed in during an hour: counts of different users can't be added up.
create table activity_users (
  app_id text not null references apps (id) on delete cascade,
  hour bigint not null,
  username_key text not null,
  primary key (app_id, hour, username_key)
);
create index activity_users_age on activity_users (hour, app_id);

-- When each of them was last seen: how many different users a period up to now has.
create table activity_last (
  app_id text not null references apps (id) on delete cascade,
  username_key text not null,
  hour bigint not null,
  primary key (app_id, username_key)
);
create index activity_last_hour on activity_last (app_id, hour, username_key);
create index activity_last_age on activity_last (hour, app_id);

-- Up to which row of logs the tables above count; seen_id is what the log ended at in the run before.
create table activity_progress (
  id integer primary key check (id = 1),
  counted_id bigint not null,
  seen_id bigint not null
);
insert into activity_progress values (1, 0, 0);
`
