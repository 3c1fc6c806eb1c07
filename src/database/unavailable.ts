import { OperatorError } from './operator-error.ts'

/** Nothing was done because the database can't take it now; the same call may work a moment later. */
export class DatabaseUnavailable extends Error {}

/** Waiting doesn't help: the settings or the database's own have to be changed. The message is one line for people. */
export class DatabaseMisconfigured extends OperatorError {}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/**
 * PostgreSQL's classes 08 (connection), 53 (disk full, memory, connections) and 57 (shut down, starting, canceled), and
 * by name a lock that was not given, transactions that were still in conflict after every try, and a server that ended
 * an idle transaction.
 */
const postgresCodes = /^(08|53|57)|^(55P03|40001|40P01|25P03)$/

/** The driver names these by their text alone. */
const driverMessages =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client was closed|Client has encountered a connection error)/

/** The functions of PostgreSQL that refuse what a standby can't do by a code that also means other things. */
const recoveryRoutines = new Set(['get_relation_info', 'LockAcquireExtended', 'GetNewTransactionId'])

/** Whether the server only reads, because another one has taken over or it hasn't been promoted yet. */
export function serverOnlyReads(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: string }
  if (code === '25006') return true
  return (code === '0A000' || code === '55000' || code === 'XX000') && recoveryRoutines.has(routine ?? '')
}

/** Busy, locked, read-only, I/O error, full and can't open, by SQLite's primary codes. */
const sqliteCodes = new Set([5, 6, 8, 10, 13, 14])

/** SQLite's extended codes carry the primary one in their last byte; 0 when it is none of SQLite's. */
export const sqliteCode = (error: unknown): number =>
  Number((error as { errcode?: number } | undefined)?.errcode) & 0xff

/** Whether it is the database's state that made a statement fail, and not the statement. */
export function databaseIsUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (code === 'ERR_SQLITE_ERROR') return sqliteCodes.has(sqliteCode(error))
  if (typeof code === 'string') return networkCodes.has(code) || postgresCodes.test(code) || serverOnlyReads(error)
  return driverMessages.test(error.message)
}
