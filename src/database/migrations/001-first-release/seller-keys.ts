import { flag } from '../column-types.ts'

export const sellerKeys = (): string => `
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
  -- Epoch seconds of the first time the present secret was seen in a URL; rotating ends it.
  exposed_at bigint,
  primary key (app_id, id)
);
create unique index seller_keys_id on seller_keys (id);
`
