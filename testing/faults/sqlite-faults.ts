import { copyFileSync, existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '#database/database.ts'
import { OneConnectionAdapter } from '#database/sqlite/one-connection-adapter.ts'
import { SqliteConnection } from '#database/sqlite/sqlite-connection.ts'

/** Locks the file from outside, as with the `sqlite3` command; returns a function that releases it. */
export function lockSqliteFile(file: string): () => void {
  const other = new DatabaseSync(file)
  other.exec('begin immediate')
  return () => other.close()
}

/**
 * Limits the disk to this many more pages of 4 KiB, enforced by SQLite itself; returns a function that removes the
 * limit.
 */
export async function fillDisk(db: Database, morePages: number): Promise<() => Promise<void>> {
  const limit = (pages: number) =>
    db.write(async ({ db: trx }) => void (await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(trx)))
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db.read)
  await limit((rows[0]?.page_count ?? 0) + morePages)
  return () => limit(1_000_000_000)
}

/** The connection of the writer. */
async function writerOf(db: Database): Promise<SqliteConnection> {
  return db.write(async ({ db: trx }) => {
    const { adapter } = trx.getExecutor()
    if (!(adapter instanceof OneConnectionAdapter) || !(adapter.connection instanceof SqliteConnection)) {
      throw new Error('This is not SQLite')
    }
    return adapter.connection
  })
}

/**
 * Runs `before` ahead of each statement of the transactions that `work` starts; an error it throws becomes the error of
 * the statement.
 */
export async function beforeEachStatement<T>(
  db: Database,
  before: (nth: number, statement: CompiledQuery) => void,
  work: () => Promise<T>,
) {
  const writer = await writerOf(db)
  let nth = 0
  writer.executeQuery = async <R>(query: CompiledQuery) => {
    before(++nth, query)
    return SqliteConnection.prototype.executeQuery.call(writer, query) as ReturnType<typeof writer.executeQuery<R>>
  }
  try {
    return await work()
  } finally {
    delete (writer as Partial<SqliteConnection>).executeQuery
  }
}

/** The error SQLite reports for a failing disk. */
export const diskFails = (): Error =>
  Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 })

/** Copies the current files, which is what a killed process leaves behind. */
export function copySqliteFiles(file: string, copy: string): void {
  for (const ending of ['', '-wal']) if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending)
}
