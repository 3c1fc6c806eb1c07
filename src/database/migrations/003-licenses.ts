import type { Engine } from '../database.ts'
import { flag, identity, shardedKey } from './column-types.ts'
import { countFunction } from './count-function.ts'

/** `state`: 0 unused, 1 used, 2 banned. `expiry`: seconds a redemption gives, 0 for ever. */
const tables = (engine: Engine) => `
create table licenses (
  id ${identity(engine)},
  app_id text not null references apps (id) on delete cascade,
  license text not null,
  level integer not null,
  expiry bigint not null check (expiry >= 0),
  notes text not null default '',
  generated_by text,
  reseller_id text,
  ${flag('used')},
  used_by text,
  used_by_user_id bigint,
  used_at bigint,
  expires_at bigint,
  ${flag('banned')},
  state smallint generated always as (case when banned = 1 then 2 else used end) stored,
  ${engine === 'postgres' ? searchText : ''}
  created_at bigint not null,
  check ((used = 1) = (used_by is not null)),
  unique (app_id, license)${shardedKey(engine, 'app_id', 'id')}
);
${engine === 'sqlite' ? 'create index licenses_app on licenses (app_id);' : ''}
create index licenses_state on licenses (app_id, state${engine === 'postgres' ? ', id' : ''});
create index licenses_user on licenses (app_id, used_by_user_id) where used_by_user_id is not null;
create index licenses_expiring on licenses (app_id, expires_at) where expires_at is not null and banned = 0;

-- How many licenses an app has by level and state, in 16 stripes so that parallel redemptions don't queue on one row.
create table license_counts (
  app_id text not null references apps (id) on delete cascade,
  stripe integer not null,
  state smallint not null,
  count bigint not null,
  primary key (app_id, stripe, state)
);
`

const searchText = `search_text text generated always as
    (license || chr(10) || notes || chr(10) || coalesce(used_by, '') || chr(10) || coalesce(generated_by, '')) stored,`

const sqliteTriggers = `
create trigger licenses_counted after insert on licenses begin
  insert into license_counts values (new.app_id, new.id % 16, new.state, 1)
    on conflict (app_id, stripe, state) do update set count = count + 1;
end;
create trigger licenses_recounted after update of used, banned on licenses when old.state <> new.state begin
  insert into license_counts values (old.app_id, old.id % 16, old.state, -1)
    on conflict (app_id, stripe, state) do update set count = count - 1;
  insert into license_counts values (new.app_id, new.id % 16, new.state, 1)
    on conflict (app_id, stripe, state) do update set count = count + 1;
end;
create trigger licenses_uncounted after delete on licenses begin
  update license_counts set count = count - 1
    where app_id = old.app_id and stripe = old.id % 16 and state = old.state;
  insert into search_changes (source, row_id) values ('licenses', old.id);
end;

-- Rows whose searched text changed since the trigram index last looked.
create table search_changes (
  seq integer primary key autoincrement,
  source text not null,
  row_id integer not null
);
create trigger licenses_reworded after update of notes, used_by on licenses
  when old.notes is not new.notes or old.used_by is not new.used_by begin
  insert into search_changes (source, row_id) values ('licenses', new.id);
end;
`

const postgresTriggers = `
create extension if not exists pg_trgm;
create index licenses_search on licenses using gin (search_text gin_trgm_ops);

${countFunction('count_licenses', 'license_counts')}
create trigger licenses_counted after insert on licenses referencing new table as come
  for each statement execute function count_licenses();
create trigger licenses_recounted after update on licenses referencing old table as gone new table as come
  for each statement execute function count_licenses();
create trigger licenses_uncounted after delete on licenses referencing old table as gone
  for each statement execute function count_licenses();
`

export const licensesMigration = {
  name: 'licenses',
  sql: (engine: Engine) => tables(engine) + (engine === 'sqlite' ? sqliteTriggers : postgresTriggers),
}
