import type { Engine } from '../database.ts'
import { flag, identity, shardedKey } from './column-types.ts'

export const downloadsMigration = {
  name: 'files of apps',
  sql: (engine: Engine) => `
-- While ready is 0 the file is being uploaded: size is what is reserved for it, and name is its id.
create table downloads (
  id text primary key,
  app_id text not null references apps (id) on delete cascade,
  owner_id text not null,
  name text not null,
  description text not null default '',
  file_name text not null default '',
  size bigint not null,
  sha256 text not null default '',
  ${flag('authenticated')},
  ${flag('active', 1)},
  ${flag('ready')},
  created_at bigint not null,
  download_count bigint not null default 0,
  authenticated_count bigint not null default 0,
  unique (app_id, name)
);
create index downloads_owner on downloads (owner_id);
create index downloads_unfinished on downloads (created_at) where ready = 0;

create table download_events (
  id ${identity(engine)},
  app_id text not null references apps (id) on delete cascade,
  download_id text not null,
  at bigint not null,
  ip text not null,
  country text not null default '',
  ${flag('authenticated')}${shardedKey(engine, 'app_id', 'id')}
);
create index download_events_file on download_events (app_id, download_id, at);
create index download_events_age on download_events (at);
`,
}
