import type { Engine } from '../database.ts'
import { flag } from './column-types.ts'

export const alertsMigration = {
  name: 'alerts of suspicious activity',
  sql: (_engine: Engine) => `
-- The machine as all apps of its owner know it: hwid_hash differs from app to app.
alter table logs add column machine_hash text not null default '';
create index logs_machine on logs (machine_hash, at) where machine_hash <> '';
create index licenses_used on licenses (app_id, used_at) where used_at is not null;
create index licenses_reseller on licenses (app_id, created_at) where reseller_id is not null;
create index audit_resellers on audit (app_id, at) where actor_type = 'reseller';

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
  primary key (app_id, id)
);
-- A finding has one alert that nobody has looked at, however often it is found.
create unique index alerts_new on alerts (app_id, fingerprint) where status = 'new';
create index alerts_fingerprint on alerts (app_id, fingerprint, created_at);
create index alerts_status on alerts (app_id, status, created_at);
create index alerts_time on alerts (app_id, created_at, id);

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
`,
}
