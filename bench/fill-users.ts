import { sql } from 'kysely'
import type { Database } from '#database/database.ts'
import { SeededRandom } from './seeded-random.ts'
import { withoutIndex } from './without-index.ts'

const rowsPerInsert = 20_000
const day = 86_400
const people = ['marta', 'lucas', 'k0da', 'sofia', 'tiago', 'yuki', 'emma', 'noah', 'rafael', 'olivia', 'pedro']

export interface KnownUser {
  username: string
  email: string
}

/**
 * Inserts the same users each time into an app by SQL, each with a subscription; returns some of them to search for.
 */
export async function fillWithUsers(db: Database, appId: string, amount: number): Promise<KnownUser[]> {
  const random = new SeededRandom(7_0_26)
  const now = Math.floor(Date.now() / 1000)
  const known: KnownUser[] = []
  await withoutIndex(db, 'users_search', async () => {
    for (let made = 0; made < amount; made += rowsPerInsert) {
      const rows = Array.from({ length: Math.min(rowsPerInsert, amount - made) }, (_, at) => {
        const username = random.below(2) === 0 ? `${random.pick(people)}${made + at}` : keyLike(random)
        const email = random.below(3) === 0 ? `${username.toLowerCase()}@mail.test` : ''
        const left = random.below(10) === 0 ? null : (random.below(400) - 150) * day
        return { username, email, banned: random.below(40) === 0 ? 1 : 0, paused: random.below(50) === 0 ? 1 : 0, left }
      })
      known.push(...rows.filter((_, at) => at % 997 === 0))
      await insertRows(db, { appId, now, firstId: made + 1, rows: JSON.stringify(rows.map(Object.values)) })
    }
  })
  if (db.engine === 'postgres') await sql`vacuum (analyze) users, user_subscriptions`.execute(db.read)
  await db.searchSettled()
  return known
}

const keyLike = (random: SeededRandom) => Array.from({ length: 4 }, () => random.text(4)).join('-')

interface Rows {
  appId: string
  now: number
  firstId: number
  /** JSON list of lists: username, email, banned, paused, remaining seconds. */
  rows: string
}

async function insertRows(db: Database, { appId, now, firstId, rows }: Rows): Promise<void> {
  const each =
    db.engine === 'postgres'
      ? sql`json_array_elements(${rows}::json) with ordinality as each(value, at)`
      : sql`(select value, key + 1 as at from json_each(${rows}))`
  await db.write(async ({ db: trx }) => {
    await sql`
      insert into users (app_id, id, username, username_key, email, ip, banned, paused, paused_at, created_at)
      select ${appId}, cast(${firstId - 1} as bigint) + at, value ->> 0, lower(value ->> 0) || at, value ->> 1, '203.0.113.7',
        cast(value ->> 2 as integer), cast(value ->> 3 as integer),
        case when value ->> 3 = '1' then cast(${now} as bigint) end, ${now}
      from ${each}`.execute(trx)
    await sql`
      insert into user_subscriptions (app_id, user_id, level, expires_at, created_at)
      select ${appId}, cast(${firstId - 1} as bigint) + at, 1, cast(${now} as bigint) + cast(value ->> 4 as bigint), ${now}
      from ${each}`.execute(trx)
  })
}
