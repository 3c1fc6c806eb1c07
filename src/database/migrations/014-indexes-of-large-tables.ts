import type { Engine } from '../database.ts'

/** Whose row was reworded: a search waits for its own app's changes only. Rows that are gone are in no result. */
const sqlite = `
alter table search_changes add column app_id text;
create index search_changes_app on search_changes (app_id, seq) where app_id is not null;
drop trigger licenses_reworded;
create trigger licenses_reworded after update of notes, used_by on licenses
  when old.notes is not new.notes or old.used_by is not new.used_by begin
  insert into search_changes (source, row_id, app_id) values ('licenses', new.id, new.app_id);
end;
drop trigger users_reworded;
create trigger users_reworded after update of username, email, ip on users
  when old.username is not new.username or old.email is not new.email or old.ip is not new.ip begin
  insert into search_changes (source, row_id, app_id) values ('users', new.id, new.app_id);
end;
`

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
${engine === 'sqlite' ? sqlite : ''}`,
}
