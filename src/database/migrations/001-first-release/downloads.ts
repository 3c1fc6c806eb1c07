import type { Engine } from '../../database.ts'
import { flag, identity, shardedKey } from '../column-types.ts'

const recordDeletion = (engine: Engine): string =>
  engine === 'sqlite'
    ? `
create trigger downloads_deleted after delete on downloads begin
  insert or ignore into deleted_files (id) values (old.id);
end;
`
    : `
create function record_deleted_file() returns trigger language plpgsql as $$
begin
  insert into deleted_files (id) values (old.id) on conflict do nothing;
  return null;
end
$$;
create trigger downloads_deleted after delete on downloads
  for each row execute function record_deleted_file();
`

/** Files of apps, what was downloaded, and which files are deleted. */
export const downloads = (engine: Engine): string => `
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
  -- Epoch seconds; null when it is clean, or was uploaded without a scanner. Until then nobody gets the file.
  unscanned_since bigint,
  unique (app_id, name)
);
create index downloads_owner on downloads (owner_id);
create index downloads_unfinished on downloads (created_at) where ready = 0;
create index downloads_unscanned on downloads (unscanned_since) where unscanned_since is not null;

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

-- Which parts of a file an address has got.
create table download_progress (
  app_id text not null references apps (id) on delete cascade,
  download_id text not null,
  ip text not null,
  -- Ranges of bytes, both ends included: 0-99,200-299
  sent text not null,
  at bigint not null,
  primary key (app_id, download_id, ip)
);
create index download_progress_age on download_progress (at);

-- Deleted files whose bytes are still to be removed. By a trigger, so that no way of deleting a row can miss it. A row
-- goes once the bytes are removed.
create table deleted_files (
  id text primary key
);
${recordDeletion(engine)}`
