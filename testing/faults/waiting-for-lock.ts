import { type Kysely, sql } from 'kysely'
import { expect } from 'vitest'
import type { Schema } from '#database/schema.ts'

/** Resolves once a statement on this PostgreSQL database waits for the rows of another transaction. */
export async function somebodyWaits(db: Kysely<Schema>): Promise<void> {
  const count = async () => {
    const { rows } = await sql`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length
  }
  await expect.poll(count, { timeout: 20_000 }).toBeGreaterThan(0)
}
