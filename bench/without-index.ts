import { sql } from 'kysely'
import type { Database } from '#database/database.ts'

/**
 * Fills a table of PostgreSQL without a search index and builds it afterwards, as it was: much faster than updating it
 * with each row. SQLite indexes later anyway.
 */
export async function withoutIndex(db: Database, index: string, fill: () => Promise<void>): Promise<void> {
  if (db.engine === 'sqlite') return fill()
  const { rows } = await sql<{ definition: string }>`
    select pg_get_indexdef(${index}::regclass) as definition`.execute(db.read)
  await sql`drop index ${sql.ref(index)}`.execute(db.read)
  await fill()
  await db.write(async ({ db: trx }) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`set local maintenance_work_mem = '256MB'`.execute(trx)
    await sql.raw((rows[0] as { definition: string }).definition).execute(trx)
  })
}
