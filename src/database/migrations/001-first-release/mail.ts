/** Links that set a new password. */
export const mail = (): string => `
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
`
