import { flag } from './column-types.ts'

export const sellerKeysMigration = {
  name: 'seller keys and two-factor sign-in',
  sql: () => `
create table seller_keys (
  app_id text not null references apps (id) on delete cascade,
  id text not null,
  name text not null,
  secret_hash text not null,
  last_four text not null,
  previous_hash text,
  previous_until bigint,
  scopes text not null default '[]',
  ip_list text not null default '[]',
  ${flag('active', 1)},
  created_at bigint not null,
  last_used_at bigint,
  last_used_ip text,
  primary key (app_id, id)
);
create unique index seller_keys_id on seller_keys (id);

alter table accounts add column totp_secret_sealed text;
alter table accounts add column totp_enabled_at bigint;
alter table accounts add column totp_last_step bigint;

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
`,
}
