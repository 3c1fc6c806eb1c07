import { flag } from '../column-types.ts'

/** `time_zone` is a name of the IANA database, `language` as the dashboard names it; null is the browser's own, and English. */
const accountsTable = `
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
  created_at bigint not null,
  totp_secret_sealed text,
  totp_enabled_at bigint,
  totp_last_step bigint,
  time_zone text,
  -- Epoch seconds: a browser that signed in before then is a stranger.
  devices_since bigint not null default 0,
  language text
);
create index accounts_admin on accounts (role) where role = 'admin';
create index accounts_plan_end on accounts (plan_expires_at, id) where plan_expires_at is not null;
`

export const accounts = (): string => `
${accountsTable}
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
create index login_failures_age on login_failures (first_at, blocked_until);

create table setup_tokens (
  token_hash text primary key,
  expires_at bigint not null
);

create table recovery_codes (
  account_id text not null references accounts (id) on delete cascade,
  code_hash text not null,
  used_at bigint,
  primary key (account_id, code_hash)
);

-- A password was right, the second factor is still to come.
create table pending_sign_ins (
  token_hash text primary key,
  account_id text not null references accounts (id) on delete cascade,
  ${flag('remember_me')},
  expires_at bigint not null
);
create index pending_sign_ins_account on pending_sign_ins (account_id);
create index pending_sign_ins_expiry on pending_sign_ins (expires_at);
`
