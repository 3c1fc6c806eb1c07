import type { Engine } from '../database.ts'
import { flag } from './column-types.ts'

/** The version before starts sessions without a handle: on SQLite only a trigger can give them one. */
const handles = (engine: Engine): string =>
  engine === 'postgres'
    ? 'alter table reseller_sessions add column handle text not null default gen_random_uuid()::text;'
    : `
alter table reseller_sessions add column handle text;
update reseller_sessions set handle = lower(hex(randomblob(16)));
create trigger reseller_sessions_handle after insert on reseller_sessions when new.handle is null begin
  update reseller_sessions set handle = lower(hex(randomblob(16))) where id_hash = new.id_hash;
end;`

/** Resellers have a second factor and a list of sessions, as accounts do. */
export const resellerSecurityMigration = {
  name: 'second factor and sessions of resellers',
  sql: (engine: Engine) => `
alter table resellers add column totp_secret_sealed text;
alter table resellers add column totp_enabled_at bigint;
alter table resellers add column totp_last_step bigint;
${handles(engine)}
alter table reseller_sessions add column proved_at bigint not null default 0;
create unique index reseller_sessions_named on reseller_sessions (handle);

create table reseller_recovery_codes (
  reseller_id text not null references resellers (id) on delete cascade,
  code_hash text not null,
  used_at bigint,
  primary key (reseller_id, code_hash)
);

-- A password was right, the second factor is still to come.
create table reseller_pending_sign_ins (
  token_hash text primary key,
  reseller_id text not null references resellers (id) on delete cascade,
  ${flag('remember_me')},
  expires_at bigint not null
);
create index reseller_pending_sign_ins_reseller on reseller_pending_sign_ins (reseller_id);
create index reseller_pending_sign_ins_expiry on reseller_pending_sign_ins (expires_at);
`,
}
