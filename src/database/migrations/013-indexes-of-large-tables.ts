import type { Engine } from '../database.ts'

/** What calls look for among a million rows, so that each reads only the rows it acts on. */
export const largeTableIndexesMigration = {
  name: 'indexes of large tables',
  sql: (engine: Engine) => `
create index licenses_level on licenses (app_id, level${engine === 'postgres' ? ', id' : ''});
create index client_sessions_license on client_sessions (app_id, license_id) where license_id is not null;
-- In the order of the list; a heartbeat changes none of these columns.
create index client_sessions_list on client_sessions (app_id, created_at desc, handle) where ended_code is null;
create index client_sessions_live on client_sessions (app_id, expires_at, user_id, ended_code)
  where user_id is not null and ended_code is null;
create index apps_deleted on apps (deleted_at) where deleted_at is not null;
create index accounts_admin on accounts (role) where role = 'admin';
create index pending_sign_ins_account on pending_sign_ins (account_id);
`,
}
