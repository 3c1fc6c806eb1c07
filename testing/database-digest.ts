import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#database/database.ts'

/** Tables that a refused call may touch: counting its attempt and noting that a session was used. */
const bookkeeping = new Set(['account_sessions', 'login_failures', 'migrations', 'search_changes', 'sqlite_sequence'])

/** What programs' heartbeats write a few seconds late, whoever calls meanwhile. */
const heardLate: Record<string, readonly string[]> = { client_sessions: ['last_heartbeat_at', 'expires_at'] }

async function tablesOf(db: Database): Promise<string[]> {
  const query =
    db.engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`
  const { rows } = await query.execute(db.read)
  return rows
    .map(({ name }) => name)
    .filter((name) => !bookkeeping.has(name))
    .toSorted()
}

/** One text for the whole content of the database: equal before and after means nothing changed. */
export async function databaseDigest(db: Database): Promise<string> {
  const digest = createHash('sha256')
  for (const table of await tablesOf(db)) {
    const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(db.read)
    digest.update(table).update(
      rows
        .map((row) => JSON.stringify(withoutLate(row, heardLate[table])))
        .toSorted()
        .join('\n'),
    )
  }
  return digest.digest('hex')
}

const withoutLate = (row: object, columns: readonly string[] = []): object =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)))
