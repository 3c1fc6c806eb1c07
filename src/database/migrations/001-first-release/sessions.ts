/** Sessions of programs, and the nonces of their requests. */
export const sessions = (): string => `
-- The token itself is known only to the program.
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
create index client_sessions_license on client_sessions (app_id, license_id) where license_id is not null;
-- In the order of the list; a heartbeat changes none of these columns.
create index client_sessions_list on client_sessions (app_id, created_at desc, handle) where ended_code is null;
create index client_sessions_live on client_sessions (app_id, expires_at, user_id, ended_code)
  where user_id is not null and ended_code is null;

-- Never unlogged: what PostgreSQL empties after a crash would let recorded requests through again.
create table used_nonces (digest text primary key, at bigint not null);
create index used_nonces_age on used_nonces (at);
`
