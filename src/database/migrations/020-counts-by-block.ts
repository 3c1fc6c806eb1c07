import type { Engine } from '../database.ts'
import { stripeOf } from '../id-blocks.ts'
import { countFunction } from './count-function.ts'
import type { Migration } from './migration.ts'

/**
 * Licenses and users are counted by blocks of IDs, each in 16 stripes. Whoever sums up the counts of an app, such as a
 * process of the version before, gets the same.
 */
export const countsByBlockMigration: Migration = {
  name: 'counts by blocks of IDs',
  sql: (engine) => countsOf(engine, 'licenses', 'license_counts') + countsOf(engine, 'users', 'user_counts'),
}

function countsOf(engine: Engine, table: 'licenses' | 'users', counts: string): string {
  const recount = `
delete from ${counts};
insert into ${counts} select app_id, ${stripeOf('id')}, state, count(*) from ${table} group by 1, 2, 3;
`
  // Nothing may be counted between the function and the lock.
  if (engine === 'postgres')
    return `
lock table ${table} in share row exclusive mode;
${countFunction(`count_${table}`, counts, stripeOf('id'))}
${recount}`
  return `
drop trigger ${table}_counted;
drop trigger ${table}_recounted;
drop trigger ${table}_uncounted;
${sqliteTriggers(table, counts)}
${recount}`
}

const sqliteTriggers = (table: 'licenses' | 'users', counts: string): string => `
create trigger ${table}_counted after insert on ${table} begin
  ${changeCount(counts, 'new', 1)}
end;
create trigger ${table}_recounted after update of ${table === 'users' ? 'banned, paused' : 'used, banned'} on ${table}
  when old.state <> new.state begin
  ${changeCount(counts, 'old', -1)}
  ${changeCount(counts, 'new', 1)}
end;
create trigger ${table}_uncounted after delete on ${table} begin
  update ${counts} set count = count - 1
    where app_id = old.app_id and stripe = ${stripeOf('old.id')} and state = old.state;
  insert into search_changes (source, row_id) values ('${table}', old.id);
end;
`

const changeCount = (counts: string, row: 'old' | 'new', by: 1 | -1): string =>
  `insert into ${counts} values (${row}.app_id, ${stripeOf(`${row}.id`)}, ${row}.state, ${by})
    on conflict (app_id, stripe, state) do update set count = count + ${by};`
