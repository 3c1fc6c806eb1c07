import { flag } from '../column-types.ts'

/** Alerts of suspicious activity. */
export const alerts = (): string => `
create table alerts (
  app_id text not null references apps (id) on delete cascade,
  id text not null,
  type text not null,
  severity text not null,
  status text not null default 'new' check (status in ('new', 'reviewed', 'dismissed')),
  fingerprint text not null,
  occurrences integer not null default 1,
  measured integer not null,
  user_count integer not null,
  ip text not null default '',
  hwid_hash text not null default '',
  evidence text not null,
  first_at bigint not null,
  last_at bigint not null,
  created_at bigint not null,
  -- When it was reviewed or dismissed: it goes some time after.
  resolved_at bigint,
  primary key (app_id, id)
);
-- A finding has one alert that nobody has looked at, however often it is found.
create unique index alerts_new on alerts (app_id, fingerprint) where status = 'new';
create index alerts_fingerprint on alerts (app_id, fingerprint, created_at);
create index alerts_status on alerts (app_id, status, created_at);
create index alerts_time on alerts (app_id, created_at, id);
create index alerts_resolved on alerts (app_id, resolved_at) where resolved_at is not null;
-- The order in which those that nobody looks at get old.
create index alerts_unreviewed on alerts (app_id, last_at) where status = 'new';

create table alert_thresholds (
  app_id text not null references apps (id) on delete cascade,
  type text not null,
  ${flag('enabled', 1)},
  threshold integer not null,
  window_seconds bigint not null,
  primary key (app_id, type)
);

-- How far an app's activity was looked at.
create table alert_scans (
  app_id text not null primary key references apps (id) on delete cascade,
  seen_until bigint not null
);
`
