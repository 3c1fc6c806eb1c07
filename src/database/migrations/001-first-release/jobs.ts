import type { Engine } from '../../database.ts'
import { identityKey } from '../column-types.ts'

/** Jobs that outlive the process. */
export const jobs = (engine: Engine): string => `
-- One job of a lane runs at a time. Lanes take turns: by the second they are due, then by when they last ran. While one
-- has a lease, next_at is when that runs out. owner: whose jobs the lane has, so that owners take turns; empty for none.
create table job_lanes (
  kind text not null,
  lane text not null,
  next_at bigint not null,
  lease text not null default '',
  last_run bigint not null default 0,
  owner text not null default '',
  primary key (kind, lane)
);
create index job_lanes_due on job_lanes (kind, next_at, last_run);
create index job_lanes_owner on job_lanes (kind, owner, next_at, last_run);

create table jobs (
  id ${identityKey(engine)},
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
`
