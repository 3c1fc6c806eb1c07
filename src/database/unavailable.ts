import { OperatorError } from './operator-error.ts'

/** The database cannot process the request now, and nothing was changed; the same call may succeed a moment later. */
export class DatabaseUnavailable extends Error {}

/**
 * Retrying does not help: Signet's settings or those of the database must be changed. The message is one line for the
 * operator.
 */
export class DatabaseMisconfigured extends OperatorError {}

/** Also when this process has no handle, port, or memory left for another connection. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENETDOWN',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'EADDRNOTAVAIL',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/**
 * PostgreSQL's error classes 08 (connection), 53 (disk full, memory, connections), 57 (shutdown, startup, canceled) and
 * 58 (its disk), and individual codes for a lock timeout, transactions that still conflicted after all retries, and an idle
 * transaction ended by the server.
 */
const postgresCodes = /^(08|53|57|58)|^(55P03|40001|40P01|25P03)$/

/** Driver errors that can only be recognized by their text. */
const driverMessages =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client was closed|Client has encountered a connection error)/

/** PostgreSQL functions whose errors on a standby have codes that also mean other things. */
const recoveryRoutines = new Set(['get_relation_info', 'LockAcquireExtended', 'GetNewTransactionId'])

/** Whether the server is read-only, because another one has taken over or it has not been promoted yet. */
export function isReadOnlyServer(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: string }
  if (code === '25006') return true
  return (code === '0A000' || code === '55000' || code === 'XX000') && recoveryRoutines.has(routine ?? '')
}

/** SQLite's primary codes for busy, locked, read-only, I/O error, full and cannot open. */
const sqliteCodes = new Set([5, 6, 8, 10, 13, 14])

/** The primary code is the last byte of SQLite's extended codes; 0 if the error is not SQLite's. */
export const sqliteCode = (error: unknown): number =>
  Number((error as { errcode?: number } | undefined)?.errcode) & 0xff

/** Whether a statement failed because of the state of the database and not because of the statement. */
export function databaseIsUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (code === 'ERR_SQLITE_ERROR') return sqliteCodes.has(sqliteCode(error))
  if (typeof code === 'string') return networkCodes.has(code) || postgresCodes.test(code) || isReadOnlyServer(error)
  return driverMessages.test(error.message)
}
