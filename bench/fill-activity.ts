import { sql } from 'kysely'
import type { Database } from '#database/database.ts'
import { fillWithUsers } from './fill-users.ts'
import { SeededRandom } from './seeded-random.ts'

const rowsPerInsert = 20_000
const days = 30
const day = 86_400
const countries = ['BR', 'US', 'DE', 'JP', 'IN']

/** Fills an app with users and a month of activity of their programs: some of them share, travel or retry. */
export async function fillWithActivity(
  db: Database,
  appId: string,
  { users, logs }: { users: number; logs: number },
): Promise<void> {
  await fillWithUsers(db, appId, users)
  const random = new SeededRandom(31)
  const now = Math.floor(Date.now() / 1000)
  for (let made = 0; made < logs; made += rowsPerInsert) {
    const rows = Array.from({ length: Math.min(rowsPerInsert, logs - made) }, (_, row) => {
      const user = random.below(users)
      const at = now - days * day + Math.floor(((made + row) * days * day) / logs)
      const kind = random.below(1000)
      const shared = kind >= 990 ? user % 50 : user
      const code =
        kind < 20 ? 'HASH_MISMATCH' : kind < 40 ? 'SUBSCRIPTION_EXPIRED' : kind < 60 ? 'LICENSE_NOT_FOUND' : ''
      const ip = `10.${shared % 200}.${Math.floor(shared / 200) % 250}.${kind < 100 ? kind % 3 : 1}`
      return [at, code, `user${user}`, `machine${shared}`, ip, countries[kind >= 980 ? kind % 5 : shared % 5]]
    })
    const list = JSON.stringify(rows)
    const each =
      db.engine === 'postgres' ? sql`json_array_elements(${list}::json) as each(value)` : sql`json_each(${list})`
    await db.write(({ db: trx }) =>
      sql`
        insert into logs (app_id, at, call, code, username, hwid_hash, machine_hash, ip, country, session)
        select ${appId}, cast(value ->> 0 as bigint), 'login', value ->> 1, value ->> 2, value ->> 3,
          ${appId} || (value ->> 3), value ->> 4, value ->> 5, ''
        from ${each}`.execute(trx),
    )
  }
  if (db.engine === 'postgres') await sql`vacuum (analyze) logs`.execute(db.read)
}
