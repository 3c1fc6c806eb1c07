import type { Engine } from '../../database.ts'
import { identityKey } from '../column-types.ts'

/** How the platform was, by the minute and by the day. */
export const status = (engine: Engine): string => `
create table backups (
  id ${identityKey(engine)},
  finished_at bigint not null,
  bytes bigint not null
);
create index backups_finished on backups (finished_at);

-- What the server checks by itself, such as the ledger of credits: one row each.
create table platform_checks (
  name text not null primary key,
  checked_at bigint not null,
  problems bigint not null
);

-- Minutes since 1970. A minute of a part has one state, whoever measured it: the worse one stands.
create table status_minutes (
  minute bigint not null,
  part text not null,
  state text not null check (state in ('ok', 'degraded', 'down')),
  primary key (minute, part)
);

-- Days since 1970, UTC: how many minutes of each state were measured. What is missing from a day was not measured.
create table status_days (
  day bigint not null,
  part text not null,
  ok integer not null default 0,
  degraded integer not null default 0,
  down integer not null default 0,
  primary key (day, part)
);
`
