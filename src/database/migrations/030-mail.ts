/** Links that set a new password, and which news of a plan's end were sent. */
export const mailMigration = {
  name: 'password resets and notices of plans',
  sql: () => `
-- Of accounts, resellers and end users: 'account:<id>'. Without foreign keys, since none lives longer than an hour.
create table password_resets (
  token_hash text primary key,
  subject text not null,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index password_resets_subject on password_resets (subject, created_at);
create index password_resets_age on password_resets (created_at);

create table plan_notices (
  account_id text not null references accounts (id) on delete cascade,
  ends_at bigint not null,
  stage text not null check (stage in ('week', 'day', 'ended')),
  primary key (account_id, ends_at, stage)
);
create index accounts_plan_end on accounts (plan_expires_at, id) where plan_expires_at is not null;
`,
}
