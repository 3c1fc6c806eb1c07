import type { Engine } from '../../database.ts'
import { flag, identity, shardedKey, thenId } from '../column-types.ts'
import { countFunction } from '../count-function.ts'

/** `state`: 0 unused, 1 used, 2 banned. `duration_seconds`: what a redemption gives, 0 for ever. */
const tables = (engine: Engine) => `
create table licenses (
  id ${identity(engine)},
  app_id text not null references apps (id) on delete cascade,
  license text not null,
  level integer not null,
  duration_seconds bigint not null check (duration_seconds >= 0),
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
  -- What a reseller paid, in credits.
  price bigint check (price >= 0),
  check ((used = 1) = (used_by is not null)),
  unique (app_id, license)${shardedKey(engine, 'app_id', 'id')}
);
${engine === 'sqlite' ? 'create index licenses_app on licenses (app_id);' : ''}
create index licenses_state on licenses (app_id, state${thenId(engine)});
create index licenses_user on licenses (app_id, used_by_user_id) where used_by_user_id is not null;
create index licenses_expiring on licenses (app_id, expires_at) where expires_at is not null and banned = 0;
create index licenses_level on licenses (app_id, level${thenId(engine)});
${engine === 'postgres' ? 'create index licenses_search on licenses using gin (app_id, search_text gin_trgm_ops);' : ''}
create index licenses_redeemed on licenses (app_id, used_at) where used_at is not null;
create index licenses_reseller on licenses (app_id, created_at) where reseller_id is not null;
create index licenses_reseller_list on licenses (app_id, reseller_id${thenId(engine)}) where reseller_id is not null;
create index licenses_reseller_use on licenses (app_id, reseller_id, used, used_by_user_id, price)
  where reseller_id is not null;

-- How many licenses an app has by state, in 16 stripes so that parallel redemptions don't queue on one row.
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
create trigger licenses_reworded after update of notes, used_by on licenses
  when old.notes is not new.notes or old.used_by is not new.used_by begin
  insert into search_changes (source, row_id, app_id) values ('licenses', new.id, new.app_id);
end;
`

const postgresTriggers = `
${countFunction('count_licenses', 'license_counts')}
create trigger licenses_counted after insert on licenses referencing new table as come
  for each statement execute function count_licenses();
create trigger licenses_recounted after update on licenses referencing old table as gone new table as come
  for each statement execute function count_licenses();
create trigger licenses_uncounted after delete on licenses referencing old table as gone
  for each statement execute function count_licenses();
`

export const licenses = (engine: Engine): string =>
  tables(engine) + (engine === 'sqlite' ? sqliteTriggers : postgresTriggers)
