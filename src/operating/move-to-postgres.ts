import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '#database/operator-error.ts'
import { PostgresFilling } from '#database/copy/postgres-filling.ts'
import { openSqliteSnapshot, type SqliteSnapshot } from '#database/copy/sqlite-copy.ts'
import { sumOf, type TableShape } from '#database/copy/table-copy.ts'
import { migrateSqlite } from '#database/migrate.ts'
import type { HeartbeatWait } from '#database/postgres/server-heartbeats.ts'
import { DatabaseServers } from '#database/postgres/database-servers.ts'
import { claimDatabaseFile } from '#database/sqlite/file-lock.ts'
import { markMoved, removeMovedMark } from '#database/sqlite/moved-database.ts'
import { SqliteConnection } from '#database/sqlite/sqlite-connection.ts'
import { missingDatabase } from '#database/unusable.ts'
import { verifyLedger } from '#features/resellers/verify-ledger.ts'

export interface MoveOptions {
  dataDir: string
  databaseUrl: string
  onTable?: (name: string, rows: number) => void
  /** How to wait for servers that may be running on the PostgreSQL database. */
  wait?: HeartbeatWait
}

export interface Moved {
  rows: number
  tables: number
  /** Whether an interrupted copy was resumed. */
  isResumed: boolean
  /** Whether an earlier run copied everything, and was interrupted before it marked the SQLite database. */
  wasCopied: boolean
  /** Why the SQLite database couldn't be marked as moved; the copy is complete. */
  markProblem?: string | undefined
}

/** The copy differs from the original. */
export class CopyWrong extends OperatorError {}

/**
 * Copies a SQLite database into an empty PostgreSQL database and verifies the copy: the same number of rows and the
 * same checksum in each table, and the same ledger. Then it marks the SQLite database, so that no server starts on it by
 * mistake, and changes nothing else in it. An interrupted copy resumes when it is run again. Rejected while a server runs
 * on either database.
 */
export async function moveToPostgres({ dataDir, databaseUrl, onTable = () => {}, wait }: MoveOptions): Promise<Moved> {
  return withClaim(dataDir, async (file) => {
    // The same checks as at the start of a server.
    onConnection(file, migrateSqlite)
    const snapshot = openSqliteSnapshot(file)
    let moved: Moved
    try {
      const filling = await PostgresFilling.open(databaseUrl, await stateOf(snapshot), wait)
      try {
        moved = await copy(snapshot, filling, onTable)
      } finally {
        await filling.close()
      }
    } finally {
      await snapshot.close()
    }
    return { ...moved, markProblem: mark(file, databaseUrl) }
  })
}

/** Lets servers start on a moved SQLite database again; false if it isn't marked as moved. */
export const allowMovedDatabase = (dataDir: string): Promise<boolean> =>
  withClaim(dataDir, async (file) => onConnection(file, removeMovedMark))

/** While no server runs on the SQLite database. */
async function withClaim<R>(dataDir: string, work: (file: string) => Promise<R>): Promise<R> {
  const file = join(dataDir, 'signet.db')
  if (!existsSync(file)) throw missingDatabase(file)
  const release = claimDatabaseFile(file)
  try {
    return await work(file)
  } finally {
    release()
  }
}

function onConnection<R>(file: string, work: (connection: SqliteConnection) => R): R {
  const connection = new SqliteConnection(file)
  try {
    return work(connection)
  } finally {
    connection.close()
  }
}

/** The copy is complete, whether this works or not. */
function mark(file: string, databaseUrl: string): string | undefined {
  const server = new DatabaseServers(databaseUrl).description
  try {
    onConnection(file, (connection) => markMoved(connection, { server, at: Math.floor(Date.now() / 1000) }))
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

async function copy(
  snapshot: SqliteSnapshot,
  filling: PostgresFilling,
  onTable: (name: string, rows: number) => void,
): Promise<Moved> {
  const { isResumed, isFinished: wasCopied } = filling
  if (wasCopied) return { rows: 0, tables: 0, isResumed, wasCopied }
  const damages = await snapshot.damages()
  if (damages.length > 0) throw new CopyWrong(`The SQLite database is damaged: ${damages.join('; ')}`)
  if (shapeOf(snapshot.tables) !== shapeOf(filling.tables)) {
    throw new CopyWrong('The two databases have different tables')
  }
  for (const table of snapshot.tables) {
    let copied = 0
    for await (const { rows, last } of snapshot.rowsAfter(table, await filling.lastOf(table))) {
      await filling.insert(table, rows, last)
      copied += rows.length
    }
    onTable(table.name, copied)
  }
  let rows = 0
  await filling.finish(snapshot.issued, async (rowsOf) => {
    for (const table of snapshot.tables) {
      const [source, target] = [await sumOf(snapshot.rows(table)), await sumOf(rowsOf(table))]
      if (source.rows !== target.rows || source.digest !== target.digest) {
        throw new CopyWrong(
          `${table.name} has ${target.rows} rows in PostgreSQL that are not the ${source.rows} of SQLite`,
        )
      }
      rows += source.rows
    }
    const [before, after] = [snapshot.reader, filling.reader].map((reports) => verifyLedger({ reports }))
    if ((await before)?.length !== (await after)?.length) throw new CopyWrong('The ledger of credits does not add up')
  })
  return { rows, tables: snapshot.tables.length, isResumed, wasCopied }
}

const shapeOf = (tables: readonly TableShape[]): string =>
  JSON.stringify(tables.map(({ name, columns }) => `${name} ${columns.join()}`).toSorted())

/** Changes whenever a server has run on the database. */
async function stateOf({ issued, reader }: SqliteSnapshot): Promise<string> {
  const time = await reader.selectFrom('server_time').select('at').executeTakeFirst()
  return createHash('sha256')
    .update(JSON.stringify([issued, time?.at]))
    .digest('base64url')
}
