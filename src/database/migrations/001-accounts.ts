import { flag, identity } from './column-types.ts'

export const accountsMigration = {
  name: 'accounts',
  sql: (engine: 'sqlite' | 'postgres') => `
create table accounts (
  id text primary key,
  username text not null,
  username_key text not null unique,
  email text not null,
  email_key text not null unique,
  display_name text not null,
  password_hash text not null,
  role text not null default 'owner' check (role in ('owner', 'admin')),
  plan text not null default 'Free',
  plan_expires_at bigint,
  ${flag('banned')},
  created_at bigint not null
);

create table account_sessions (
  id_hash text primary key,
  handle text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  ip text not null,
  user_agent text not null,
  ${flag('remember_me')},
  created_at bigint not null,
  last_used_at bigint not null,
  proved_at bigint not null,
  expires_at bigint not null,
  selected_app_id text
);
create index account_sessions_account on account_sessions (account_id);
create index account_sessions_expiry on account_sessions (expires_at);

-- Failed sign-ins by subject: an account and network, an account, or a network.
create table login_failures (
  subject text primary key,
  failures integer not null,
  first_at bigint not null,
  blocked_until bigint not null default 0
);

create table setup_tokens (
  token_hash text primary key,
  expires_at bigint not null
);

create table platform_settings (
  name text primary key,
  value text not null
);

create table idempotent_replies (
  actor text not null,
  idempotency_key text not null,
  request_hash text not null,
  reply text not null,
  created_at bigint not null,
  primary key (actor, idempotency_key)
);
create index idempotent_replies_age on idempotent_replies (created_at);

create table audit (
  id ${identity(engine)}${engine === 'postgres' ? ' primary key' : ''},
  at bigint not null,
  actor_type text not null,
  actor_id text not null,
  owner_id text not null,
  app_id text,
  act text not null,
  target text not null,
  details text not null default '{}',
  ip text not null,
  request_id text not null
);
create index audit_owner on audit (owner_id, id);
`,
}
