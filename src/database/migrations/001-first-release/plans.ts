import { flag } from '../column-types.ts'

export const plans = (): string => `
create table plans (
  name text primary key,
  display_name text not null,
  price_cents bigint not null check (price_cents >= 0),
  position integer not null check (position >= 0),
  ${flag('active', 1)},
  max_apps bigint not null check (max_apps >= -1),
  max_users_per_app bigint not null check (max_users_per_app >= -1),
  max_licenses_per_app bigint not null check (max_licenses_per_app >= -1),
  max_variables_per_app bigint not null check (max_variables_per_app >= -1),
  max_storage_mb bigint not null check (max_storage_mb >= 1),
  features text not null default '[]'
);
insert into plans values
  ('Free', 'Free', 0, 0, 1, 1, 10, 25, 3, 2, '["custom_variables","file_upload","bulk_operations"]'),
  ('Developer', 'Developer', 999, 1, 1, 5, -1, -1, -1, 500,
   '["custom_variables","file_upload","advanced_analytics","webhooks","bulk_operations"]'),
  ('Pro', 'Pro', 2499, 2, 1, -1, -1, -1, -1, 5000,
   '["custom_variables","file_upload","advanced_analytics","priority_support","webhooks","bulk_operations","custom_branding"]');

-- Which mails about a plan's end were sent.
create table plan_notices (
  account_id text not null references accounts (id) on delete cascade,
  ends_at bigint not null,
  stage text not null check (stage in ('week', 'day', 'ended')),
  primary key (account_id, ends_at, stage)
);
`
