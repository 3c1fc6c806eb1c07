import { DatabaseUnusable } from '../unusable.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/**
 * Exists in a SQLite database whose content was moved to PostgreSQL, so that nobody goes on with the old data by
 * mistake. No migration creates it.
 */
export const movedTable = 'moved_to_postgres'

/** The command that removes the mark. */
const backToSqlite = 'npm run migrate-to-postgres -- --back-to-sqlite'

/** `server` says where to, such as `db.internal:5432/signet`; `at` is in epoch seconds. */
export function markMoved(connection: SqliteConnection, { server, at }: { server: string; at: number }): void {
  const { database } = connection
  database.exec('begin immediate')
  try {
    database.exec(`create table ${movedTable} (server text not null, at integer not null)`)
    connection.run(`insert into ${movedTable} (server, at) values (?, ?)`, [server, at])
    database.exec('commit')
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

/** False if there was no mark. */
export function removeMovedMark(connection: SqliteConnection): boolean {
  const isMarked = hasMark(connection)
  if (isMarked) connection.database.exec(`drop table ${movedTable}`)
  return isMarked
}

const hasMark = (connection: SqliteConnection): boolean =>
  connection.run('select 1 as found from sqlite_schema where name = ?', [movedTable]).rows.length > 0

/** Throws `DatabaseUnusable`. */
export function rejectMoved(connection: SqliteConnection): void {
  if (!hasMark(connection)) return
  const [row] = connection.run(`select server, at from ${movedTable}`, []).rows
  const at = new Date(Number(row?.['at']) * 1000).toISOString().slice(0, 10)
  throw new DatabaseUnusable(
    `The SQLite database in DATA_DIR was moved to PostgreSQL (${String(row?.['server'])}) on ${at}: set DATABASE_URL. ` +
      `To go on without what has changed there since, run ${backToSqlite}`,
  )
}
