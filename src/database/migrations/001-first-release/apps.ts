import type { Engine } from '../../database.ts'
import { flag, identity, shardedKey } from '../column-types.ts'

/** Apps with their signing keys, levels and variables. */
export const apps = (engine: Engine): string => `
create table apps (
  id text primary key,
  owner_id text not null references accounts (id) on delete cascade,
  name text not null,
  name_key text not null,
  description text not null default '',
  version text not null,
  ${flag('app_status', 1)},
  ${flag('vpn_block')},
  ${flag('hwid_lock', 1)},
  ${flag('hash_check')},
  ${flag('one_session_per_credential', 1)},
  minimum_hwid_length integer not null default 8 check (minimum_hwid_length between 1 and 64),
  hash_to_check text not null default '',
  auto_update_link text not null default '',
  webloader_link text not null default '',
  discord_webhook_link text not null default '',
  session_expiry_seconds integer not null default 3600 check (session_expiry_seconds between 300 and 86400),
  root_public_key text not null,
  root_private_sealed text not null,
  box_public_key text not null,
  box_private_sealed text not null,
  hwid_pepper_sealed text not null,
  created_at bigint not null,
  last_init_at bigint,
  deleted_at bigint,
  unique (owner_id, name_key)
);
create index apps_deleted on apps (deleted_at) where deleted_at is not null;

create table app_signing_keys (
  app_id text not null references apps (id) on delete cascade,
  kid text not null,
  serial integer not null,
  private_sealed text not null,
  certificate text not null,
  not_before bigint not null,
  not_after bigint not null,
  primary key (app_id, kid),
  unique (app_id, serial)
);

-- The levels that an app sells.
create table subscriptions (
  app_id text not null references apps (id) on delete cascade,
  level integer not null check (level between 1 and 1000000),
  name text not null,
  ${flag('active', 1)},
  created_at bigint not null,
  primary key (app_id, level)
);

create table app_variables (
  id ${identity(engine)},
  app_id text not null references apps (id) on delete cascade,
  name text not null,
  data text not null,
  ${flag('authenticated', 1)},
  created_at bigint not null,
  updated_at bigint not null,
  unique (app_id, name)${shardedKey(engine, 'app_id', 'id')}
);
`
