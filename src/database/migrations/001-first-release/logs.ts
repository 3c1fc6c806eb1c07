import type { Engine } from '../../database.ts'
import { identity, shardedKey } from '../column-types.ts'

/** What programs did and wrote. */
export const logs = (engine: Engine): string => `
-- call is 'message' for what a program wrote itself; code says why a call was refused. Empty means none. machine_hash is
-- the machine as all apps of its owner know it: hwid_hash differs from app to app.
create table logs (
  id ${identity(engine)},
  app_id text not null references apps (id) on delete cascade,
  at bigint not null,
  call text not null,
  code text not null default '',
  message text not null default '',
  username text not null default '',
  license text not null default '',
  hwid_hash text not null default '',
  ip text not null default '',
  country text not null default '',
  session text not null default '',
  machine_hash text not null default ''${shardedKey(engine, 'app_id', 'id')}
);
create index logs_time on logs (app_id, at, id);
create index logs_username on logs (app_id, username, at) where username <> '';
create index logs_license on logs (app_id, license, at) where license <> '';
create index logs_hwid on logs (app_id, hwid_hash, at) where hwid_hash <> '';
create index logs_ip on logs (app_id, ip, at);
${engine === 'postgres' ? 'create index logs_sequence on logs (id);' : ''}
create index logs_machine on logs (machine_hash, at) where machine_hash <> '';

-- How long an app's log is stored.
create table log_retention (
  app_id text primary key references apps (id) on delete cascade,
  days integer not null
);
`
