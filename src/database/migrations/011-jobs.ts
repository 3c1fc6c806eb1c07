import type { Engine } from '../database.ts'
import { identity } from './column-types.ts'

export const jobsMigration = {
  name: 'jobs that outlive the process',
  sql: (engine: Engine) => `
-- One job of a lane runs at a time. Lanes take turns: by the second they are due, then by when they last ran. While one
-- has a lease, next_at is when that runs out.
create table job_lanes (
  kind text not null,
  lane text not null,
  next_at bigint not null,
  lease text not null default '',
  last_run bigint not null default 0,
  primary key (kind, lane)
);
create index job_lanes_due on job_lanes (kind, next_at, last_run);

create table jobs (
  id ${identity(engine)}${engine === 'postgres' ? ' primary key' : ''},
  kind text not null,
  lane text not null,
  due_at bigint not null,
  attempts integer not null default 0,
  payload text not null,
  error text,
  failed_at bigint,
  created_at bigint not null
);
create index jobs_waiting on jobs (kind, lane, due_at) where failed_at is null;
create index jobs_failed on jobs (failed_at) where failed_at is not null;
`,
}
