import { OperatorError } from './operator-error.ts'
import { sqliteCode } from './unavailable.ts'

/** The database cannot be used until the operator acts; the message says how. */
export class DatabaseUnusable extends OperatorError {}

export const missingDatabase = (file: string): DatabaseUnusable =>
  new DatabaseUnusable(`There is no database ${file}. Set DATA_DIR to its folder, or DATABASE_URL for PostgreSQL.`)

const readOnlyCodes = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENOENT'])
const fullCodes = new Set(['ENOSPC', 'EDQUOT'])
const [readOnly, inputOutput, full, cantOpen, corrupt, notADatabase] = [8, 10, 13, 14, 11, 26]

/** Explains to the operator why a SQLite file cannot be opened; returns other errors unchanged. */
export function explainSqlite(file: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  const sqlite = code === 'ERR_SQLITE_ERROR' ? sqliteCode(error) : undefined
  const advice =
    readOnlyCodes.has(code) || sqlite === readOnly || sqlite === cantOpen
      ? 'DATA_DIR must be a folder that the user of the server may write to, on a disk that is not read-only.'
      : fullCodes.has(code) || sqlite === full
        ? 'The disk of DATA_DIR is full: free some space.'
        : sqlite === corrupt || sqlite === notADatabase
          ? 'The file is damaged or is not a database: restore a backup.'
          : sqlite === inputOutput
            ? 'Check the disk of DATA_DIR, and that nothing in that folder was moved or replaced.'
            : undefined
  return advice ? new DatabaseUnusable(`${file} can't be opened (${message}). ${advice}`, { cause: error }) : error
}

/** Of Node, such as ECONNREFUSED and ENOTFOUND; those of PostgreSQL have digits. */
const networkCode = /^E[A-Z_]+$/
const unknownDatabase = '3D000'
const noPrivilege = '42501'
/** Of a table, or of another object. */
const existsAlready = new Set(['42P07', '42710', '42723'])

/** Why no server of `description` could be connected to. */
export function unreachable(description: string, error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return `PostgreSQL at ${description} can't be reached (${message || code})`
}

/** Explains to the operator why a PostgreSQL database cannot be opened; returns other errors unchanged. */
export function explainPostgres(error: unknown, { description }: { description: string }): unknown {
  const { code = '', message } = error as { code?: string; message?: string }
  const advice =
    code === unknownDatabase
      ? 'Create it, or correct DATABASE_URL.'
      : code.startsWith('28')
        ? 'Correct the user and the password in DATABASE_URL.'
        : code === noPrivilege
          ? 'The user in DATABASE_URL must own the database.'
          : existsAlready.has(code)
            ? 'DATABASE_URL must be a database of Signet, or an empty database.'
            : undefined
  if (advice) return new DatabaseUnusable(`PostgreSQL: ${message}. ${advice}`, { cause: error })
  if (!networkCode.test(code)) return error
  return new DatabaseUnusable(`${unreachable(description, error)}. Start it, or correct DATABASE_URL.`, {
    cause: error,
  })
}
