import type { Engine } from '../../database.ts'

/**
 * `counted`: 0 unused, 1 used, 2 unused and banned, 3 used and banned licenses; 4 users who redeemed some. In 16 stripes,
 * like `license_counts`. A row of `reseller_users` whose licenses are all gone stays with 0.
 */
const tables = `
create table reseller_counts (
  app_id text not null references apps (id) on delete cascade,
  reseller_id text not null,
  counted smallint not null,
  stripe integer not null,
  count bigint not null,
  primary key (app_id, reseller_id, counted, stripe)
);
create table reseller_users (
  app_id text not null references apps (id) on delete cascade,
  reseller_id text not null,
  user_id bigint not null,
  licenses bigint not null,
  primary key (app_id, reseller_id, user_id)
);
create index reseller_users_list on reseller_users (app_id, reseller_id, user_id) where licenses > 0;
create index reseller_users_user on reseller_users (app_id, user_id);
`

/** SQLite: a license like `row` more or less. */
const countLicense = (row: 'old' | 'new', n: 1 | -1) => `
  insert into reseller_counts
    select ${row}.app_id, ${row}.reseller_id, ${row}.used + 2 * ${row}.banned, ${row}.id % 16, ${n}
    where ${row}.reseller_id is not null
    on conflict (app_id, reseller_id, counted, stripe) do update set count = count + excluded.count;`
const addRedeemer = `
  insert into reseller_users
    select app_id, new.reseller_id, id, 1 from users
    where id = new.used_by_user_id and app_id = new.app_id and new.used = 1 and new.reseller_id is not null
    on conflict (app_id, reseller_id, user_id) do update set licenses = licenses + 1;`
const removeRedeemer = `
  update reseller_users set licenses = licenses - 1
    where app_id = old.app_id and reseller_id = old.reseller_id and user_id = old.used_by_user_id and old.used = 1;`
const countUser = (row: 'old' | 'new', n: 1 | -1) => `
  insert into reseller_counts values (${row}.app_id, ${row}.reseller_id, 4, ${row}.user_id % 16, ${n})
    on conflict (app_id, reseller_id, counted, stripe) do update set count = count + excluded.count;`

const sqlite = `
create trigger reseller_licenses_counted after insert on licenses when new.reseller_id is not null begin
  ${countLicense('new', 1)} ${addRedeemer}
end;
create trigger reseller_licenses_recounted after update of used, banned, reseller_id on licenses
  when (old.reseller_id is not null or new.reseller_id is not null)
    and (old.used <> new.used or old.banned <> new.banned or old.reseller_id is not new.reseller_id) begin
  ${countLicense('old', -1)} ${countLicense('new', 1)}
end;
create trigger reseller_licenses_redeemed after update of used, used_by_user_id, reseller_id on licenses
  when (old.reseller_id is not null or new.reseller_id is not null)
    and (old.used <> new.used or old.used_by_user_id is not new.used_by_user_id
      or old.reseller_id is not new.reseller_id) begin
  ${removeRedeemer} ${addRedeemer}
end;
create trigger reseller_licenses_uncounted after delete on licenses when old.reseller_id is not null begin
  ${countLicense('old', -1)} ${removeRedeemer}
end;
create trigger users_of_resellers_gone after delete on users begin
  delete from reseller_users where app_id = old.app_id and user_id = old.id;
end;
create trigger reseller_users_counted after insert on reseller_users when new.licenses > 0 begin
  ${countUser('new', 1)}
end;
create trigger reseller_users_first after update of licenses on reseller_users
  when old.licenses <= 0 and new.licenses > 0 begin
  ${countUser('new', 1)}
end;
create trigger reseller_users_last after update of licenses on reseller_users
  when old.licenses > 0 and new.licenses <= 0 begin
  ${countUser('new', -1)}
end;
create trigger reseller_users_uncounted after delete on reseller_users when old.licenses > 0 begin
  ${countUser('old', -1)}
end;
`

/**
 * PostgreSQL: what a statement changed, if it is a reseller's at all, added up, rows locked in one order. A
 * redemption has locked the user.
 */
const addUp = (moved: string) => `
    insert into reseller_counts as c
      select app_id, reseller_id, used + 2 * banned, id % 16, sum(n) from (${moved}) moved
      where reseller_id is not null group by 1, 2, 3, 4 having sum(n) <> 0 order by 1, 2, 3, 4
      on conflict (app_id, reseller_id, counted, stripe) do update set count = c.count + excluded.count;
    insert into reseller_users as r
      select moved.app_id, reseller_id, u.id, sum(n) from (${moved}) moved
      join users u on u.app_id = moved.app_id and u.id = used_by_user_id
      where reseller_id is not null and moved.used = 1 group by 1, 2, 3 having sum(n) <> 0 order by 1, 2, 3
      on conflict (app_id, reseller_id, user_id) do update set licenses = r.licenses + excluded.licenses;`
const addUpUsers = (moved: string) => `
    insert into reseller_counts as c
      select app_id, reseller_id, 4, user_id % 16, sum(n) from (${moved}) moved
      where licenses > 0 group by 1, 2, 3, 4 having sum(n) <> 0 order by 1, 2, 3, 4
      on conflict (app_id, reseller_id, counted, stripe) do update set count = c.count + excluded.count;`
const byAct = (add: (moved: string) => string, concerns = 'true') => `
  if tg_op = 'INSERT' then
    if exists (select from come where ${concerns}) then ${add('select *, 1 as n from come')} end if;
  elsif tg_op = 'DELETE' then
    if exists (select from gone where ${concerns}) then ${add('select *, -1 as n from gone')} end if;
  elsif exists (select from gone where ${concerns} union all select from come where ${concerns}) then
    ${add('select *, -1 as n from gone union all select *, 1 from come')}
  end if;
  return null;`
const triggers = (table: string, does: string) => `
create trigger ${does}_come after insert on ${table} referencing new table as come
  for each statement execute function ${does}();
create trigger ${does}_changed after update on ${table} referencing old table as gone new table as come
  for each statement execute function ${does}();
create trigger ${does}_gone after delete on ${table} referencing old table as gone
  for each statement execute function ${does}();`

const postgres = `
create function count_reseller_licenses() returns trigger language plpgsql as $$
begin
  ${byAct(addUp, 'reseller_id is not null')}
end $$;
${triggers('licenses', 'count_reseller_licenses')}
create function count_reseller_users() returns trigger language plpgsql as $$
begin
  ${byAct(addUpUsers)}
end $$;
${triggers('reseller_users', 'count_reseller_users')}
create function forget_reseller_users() returns trigger language plpgsql as $$
begin
  delete from reseller_users r using gone where r.app_id = gone.app_id and r.user_id = gone.id;
  return null;
end $$;
create trigger users_of_resellers_gone after delete on users referencing old table as gone
  for each statement execute function forget_reseller_users();
`

/** What a reseller's lists show of a million licenses is kept by triggers, so that no page counts them. */
export const resellerCounts = (engine: Engine): string => tables + (engine === 'sqlite' ? sqlite : postgres)
