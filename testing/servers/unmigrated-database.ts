import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migratePostgres, migrateSqlite } from '#database/migrate.ts'
import type { Migration } from '#database/migrations/migration.ts'
import { SqliteConnection } from '#database/sqlite/sqlite-connection.ts'
import { testEngine } from '../start-test-app.ts'
import { freshPostgresUrl } from './postgres.ts'

/** An empty database for tests of migrations, whichever engine. */
export interface MigratedDatabase {
  /** Its file or URL. */
  place: string
  migrate(list: readonly Migration[]): Promise<void>
  query(sql: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

export const unmigratedDatabase = async (): Promise<MigratedDatabase> =>
  testEngine === 'postgres' ? onPostgres() : onSqlite()

function onSqlite(): MigratedDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'signet-migrate-'))
  const place = join(folder, 'test.db')
  const connection = new SqliteConnection(place, { durable: false })
  return {
    place,
    migrate: async (list) => migrateSqlite(connection, list),
    query: async (sql) => connection.run(sql, []).rows,
    async close() {
      connection.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function onPostgres(): Promise<MigratedDatabase> {
  const place = await freshPostgresUrl()
  const pool = new pg.Pool({ connectionString: place, max: 4 })
  return {
    place,
    migrate: (list) => migratePostgres(pool, list),
    query: async (sql) => (await pool.query(sql)).rows as Record<string, unknown>[],
    close: () => pool.end(),
  }
}
