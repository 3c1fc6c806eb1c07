import type { Engine } from '../database.ts'

/**
 * Files and webhooks in the bin: the text that their rows have as ID, and the bytes that a file still takes in the store.
 * The bytes of a file are removed when neither a row nor the bin has it any more, however it went. A restored webhook
 * does not deliver what waited for it before its deletion.
 */
export const filesInBinMigration = {
  name: 'files and webhooks in the bin',
  sql: (engine: Engine) => `
alter table bin_items add column row_key text;
alter table bin_items add column bytes bigint not null default 0;
create index bin_items_key on bin_items (row_key) where row_key is not null;
create index bin_items_kept on bin_items (app_id, kind, deleted_at, id, bytes) where row_key is not null;
alter table webhooks add column deliver_after bigint;
${engine === 'sqlite' ? sqlite : postgres}`,
}

const sqlite = `
drop trigger downloads_deleted;
create trigger downloads_deleted after delete on downloads
when not exists (select 1 from bin_items where row_key = old.id and kind = 'file')
begin
  insert or ignore into deleted_files (id) values (old.id);
end;
create trigger bin_items_deleted after delete on bin_items
when old.kind = 'file' and not exists (select 1 from downloads where id = old.row_key)
begin
  insert or ignore into deleted_files (id) values (old.row_key);
end;
`

const postgres = `
create or replace function record_deleted_file() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from bin_items where row_key = old.id and kind = 'file') then
    insert into deleted_files (id) values (old.id) on conflict do nothing;
  end if;
  return null;
end
$$;
create function record_file_deleted_from_bin() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from downloads where id = old.row_key) then
    insert into deleted_files (id) values (old.row_key) on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger bin_items_deleted after delete on bin_items
  for each row when (old.kind = 'file') execute function record_file_deleted_from_bin();
`
