import { sql } from 'kysely'
import type { Database } from '#database/database.ts'
import '#features/licenses/licenses.table.ts'
import { batchSize, type Journal } from './kill-load.ts'

/** Each statement counts something that must not exist: a transaction of which only a part was stored. */
const halves = {
  'used licenses without their user': `
    select count(*) as n from licenses l where l.used = 1 and not exists
      (select 1 from users u where u.app_id = l.app_id and u.id = l.used_by_user_id and u.username = l.used_by)`,
  'users without a used license': `
    select count(*) as n from users u where not exists
      (select 1 from licenses l where l.app_id = u.app_id and l.used_by_user_id = u.id and l.used = 1)`,
  'users without their subscription': `
    select count(*) as n from users u where not exists
      (select 1 from user_subscriptions s where s.app_id = u.app_id and s.user_id = u.id)`,
  'subscriptions without a user': `
    select count(*) as n from user_subscriptions s where not exists
      (select 1 from users u where u.app_id = s.app_id and u.id = s.user_id)`,
  'batches of which a part is missing': `
    select count(*) as n from
      (select notes from licenses where notes like 'round%' group by notes having count(*) <> ${batchSize}) parts`,
  'counters that differ from their rows': `
    select count(*) as n from (
      select state, sum(n) as n from (
        select state, count as n from license_counts union all select state, -1 as n from licenses
      ) both_ways group by state having sum(n) <> 0) differences`,
}

/** Number of lost acknowledged writes, from the tables themselves. */
export async function countLost(db: Database, journals: readonly Journal[]): Promise<number> {
  const { rows } = await sql<{ license: string; used: number }>`select license, used from licenses`.execute(db.reports)
  const used = new Map(rows.map((row) => [row.license, row.used]))
  let lost = 0
  for (const { created, activated } of journals) {
    for (const { keys } of created) lost += keys.filter((key) => !used.has(key)).length
    lost += activated.filter(({ key }) => used.get(key) !== 1).length
  }
  return lost
}

/** The incomplete transactions found, with their number. */
export async function findHalves(db: Database): Promise<string[]> {
  const found: string[] = []
  for (const [name, query] of Object.entries(halves)) {
    const { rows } = await sql.raw<{ n: number }>(query).execute(db.reports)
    const n = Number(rows[0]?.n)
    if (n > 0) found.push(`${n} ${name}`)
  }
  if (db.engine === 'sqlite') {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db.reports)
    if (rows[0]?.integrity_check !== 'ok') found.push(`integrity: ${rows[0]?.integrity_check}`)
  }
  return found
}
