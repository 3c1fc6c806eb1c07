import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#database/database.ts'
import { SeededRandom } from './seeded-random.ts'
import { withoutIndex } from './without-index.ts'

const rowsPerInsert = 20_000
const day = 86_400
const occasions = [
  'launch batch',
  'giveaway',
  'black friday',
  'partner deal',
  'press copy',
  'support case',
  'refund swap',
  'beta round',
]
const people = [
  'marta',
  'lucas',
  'k0da',
  'sofia',
  'whitaker',
  'tiago',
  'yuki',
  'emma',
  'noah',
  'rafael',
  'olivia',
  'pedro',
]

/** In the notes of about one in ten thousand licenses, and of one in five. */
export const rareText = 'escalated to engineering'
export const commonText = 'launch'

interface Row {
  license: string
  notes: string
  usedBy: string | null
  usedAt: number | null
  banned: 0 | 1
}

function newRow(random: SeededRandom, number: number, now: number): Row {
  const license = Array.from({ length: 4 }, () => random.text(4)).join('-')
  const kind = random.below(10)
  const occasion = kind < 2 ? `${commonText} batch` : random.pick(occasions.slice(1))
  const rare = random.below(10_000) === 0 ? ` ${rareText}` : ''
  const notes = kind >= 7 && rare === '' ? '' : `${occasion} ${random.below(900) + 100}${rare}`
  const used = random.below(2) === 1
  const usedBy = !used ? null : random.below(3) === 0 ? license : `${random.pick(people)}${number}`
  return {
    license,
    notes,
    usedBy,
    usedAt: used ? now - random.below(300) * day : null,
    banned: random.below(40) === 0 ? 1 : 0,
  }
}

/** Inserts the same licenses each time into an app by SQL; returns some of them to search for. */
export async function fillWithLicenses(db: Database, appId: string, amount: number): Promise<Row[]> {
  const random = new SeededRandom(20_26)
  const now = Math.floor(Date.now() / 1000)
  const known: Row[] = []
  await withoutIndex(db, 'licenses_search', async () => {
    for (let made = 0; made < amount; made += rowsPerInsert) {
      const rows = Array.from({ length: Math.min(rowsPerInsert, amount - made) }, (_, at) =>
        newRow(random, made + at, now),
      )
      known.push(...rows.filter((_, at) => at % 997 === 0))
      await db.write(({ db: trx }) => insertRows(db, appId, rows, now).execute(trx))
    }
  })
  // A new table has no statistics.
  if (db.engine === 'postgres') await sql`vacuum (analyze) licenses`.execute(db.read)
  await db.searchSettled()
  return known
}

function insertRows(db: Database, appId: string, rows: Row[], now: number): RawBuilder<unknown> {
  const list = JSON.stringify(
    rows.map(({ license, notes, usedBy, usedAt, banned }) => [license, notes, usedBy, usedAt, banned]),
  )
  const each =
    db.engine === 'postgres' ? sql`json_array_elements(${list}::json) as each(value)` : sql`json_each(${list})`
  return sql`
    insert into licenses (app_id, license, level, duration_seconds, notes, used, used_by, used_at, expires_at, banned, created_at)
    select ${appId}, value ->> 0, 1, ${30 * day}, value ->> 1,
      case when value ->> 2 is null then 0 else 1 end, value ->> 2,
      cast(value ->> 3 as bigint), cast(value ->> 3 as bigint) + ${30 * day},
      cast(value ->> 4 as integer), ${now}
    from ${each}`
}
