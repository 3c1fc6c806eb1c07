import type { Engine } from '../database.ts'
import { flag, identity, shardedKey } from './column-types.ts'

export const usersMigration = {
  name: 'end users and their sessions',
  sql: (engine: Engine) => `
create table users (
  id ${identity(engine)},
  app_id text not null references apps (id) on delete cascade,
  username text not null,
  username_key text not null,
  password_hash text,
  email text not null default '',
  hwid_hash text,
  ip text not null default '',
  ${flag('banned')},
  ${flag('paused')},
  paused_at bigint,
  created_at bigint not null,
  last_login_at bigint,
  unique (app_id, username_key)${shardedKey(engine, 'app_id', 'id')}
);
${engine === 'sqlite' ? 'create index users_app on users (app_id);' : ''}

create table user_subscriptions (
  app_id text not null references apps (id) on delete cascade,
  user_id bigint not null,
  level integer not null,
  expires_at bigint,
  license_id bigint,
  created_at bigint not null,
  primary key (app_id, user_id, level)
);
create index user_subscriptions_license on user_subscriptions (app_id, license_id) where license_id is not null;

-- A program's session. The token itself is known only to the program.
create table client_sessions (
  app_id text not null references apps (id) on delete cascade,
  token_hash text not null,
  handle text not null,
  user_id bigint,
  license_id bigint,
  ip text not null,
  hwid_hash text,
  created_at bigint not null,
  last_heartbeat_at bigint not null,
  expires_at bigint not null,
  ended_code text,
  primary key (app_id, token_hash)
);
create unique index client_sessions_handle on client_sessions (app_id, handle);
create index client_sessions_user on client_sessions (app_id, user_id) where user_id is not null;
create index client_sessions_expiry on client_sessions (expires_at);
`,
}
