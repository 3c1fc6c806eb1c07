import { flag } from '../column-types.ts'

export const resellers = (): string => `
-- An owner may have ten thousand: those of a deleted owner follow in batches, not with the row of the account.
create table resellers (
  id text primary key,
  owner_id text not null,
  username text not null,
  username_key text not null unique,
  email text,
  email_key text unique,
  password_hash text,
  ${flag('banned')},
  setup_token_hash text unique,
  setup_expires_at bigint,
  created_at bigint not null,
  -- As the dashboard names it; null is English.
  language text,
  -- Epoch seconds: a browser that signed in before then is a stranger.
  devices_since bigint not null default 0,
  -- An address that waits for its mailbox to confirm it, by a link that is stored as a hash alone.
  pending_email text,
  pending_email_token_hash text,
  pending_email_expires_at bigint
);
create index resellers_list on resellers (owner_id, created_at, id);
create unique index resellers_pending_email on resellers (pending_email_token_hash);

create table reseller_sessions (
  id_hash text primary key,
  reseller_id text not null references resellers (id) on delete cascade,
  ip text not null,
  user_agent text not null,
  ${flag('remember_me')},
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null
);
create index reseller_sessions_reseller on reseller_sessions (reseller_id);
create index reseller_sessions_expiry on reseller_sessions (expires_at);

-- What a reseller may sell of an app: lists as JSON. No level listed means every level.
create table reseller_apps (
  app_id text not null,
  reseller_id text not null references resellers (id) on delete cascade,
  allowed_plans text not null,
  plan_costs text not null,
  allowed_levels text not null,
  created_at bigint not null,
  primary key (app_id, reseller_id)
);
create index reseller_apps_reseller on reseller_apps (reseller_id, created_at);

-- A domain is taken by proof: one that a reseller only claims is not taken from others.
create table reseller_domains (
  reseller_id text primary key references resellers (id) on delete cascade,
  domain text not null,
  company_name text not null,
  logo_url text not null,
  primary_color text not null,
  secondary_color text not null,
  proof text not null,
  proved_at bigint,
  created_at bigint not null,
  checked_at bigint not null default 0,
  missing_since bigint,
  lost_at bigint
);
create unique index reseller_domains_proved on reseller_domains (domain) where proved_at is not null;
-- The line in which proved domains wait to be checked again.
create index reseller_domains_check on reseller_domains (checked_at) where proved_at is not null;
`
