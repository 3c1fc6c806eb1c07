/**
 * PostgreSQL's half of a counts table: one statement's changes added up by app, stripe and state, so
 * that a change which moves no row from one state to another touches no counter.
 */
export const countFunction = (name: string, table: string, stripe = 'id % 16'): string => `
create or replace function ${name}() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into ${table} as c
      select app_id, ${stripe}, state, count(*) from come group by 1, 2, 3 order by 1, 2, 3
      on conflict (app_id, stripe, state) do update set count = c.count + excluded.count;
  elsif tg_op = 'DELETE' then
    insert into ${table} as c
      select app_id, ${stripe}, state, -count(*) from gone group by 1, 2, 3 order by 1, 2, 3
      on conflict (app_id, stripe, state) do update set count = c.count + excluded.count;
  else
    insert into ${table} as c
      select app_id, ${stripe}, state, sum(n) from (
        select app_id, id, state, -1 as n from gone union all select app_id, id, state, 1 from come
      ) moved group by 1, 2, 3 having sum(n) <> 0 order by 1, 2, 3
      on conflict (app_id, stripe, state) do update set count = c.count + excluded.count;
  end if;
  return null;
end $$;`
