import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from './database.ts'
import type { SearchSource } from './search-source.ts'

export interface DatabaseOptions {
  /** `postgres://…`; without it SQLite in `dataDir`. */
  databaseUrl?: string | undefined
  dataDir: string
  sources: readonly SearchSource[]
  /** SQLite: beside a process that serves the same file, which then doesn't hear what changes. */
  shared?: boolean
  onError?: (error: unknown) => void
  /** PostgreSQL can't be reached; it is tried again until it can be. Without it that is an error. */
  onUnreachable?: (problem: string) => Promise<void>
}

/** Opens the database and brings its tables up to date. The engine that isn't used is never loaded. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, dataDir, sources, onError, onUnreachable } = options
  if (databaseUrl) {
    const { openPostgres } = await import('./postgres/open-postgres.ts')
    return openPostgres({ url: databaseUrl, ...(onError && { onError }), ...(onUnreachable && { onUnreachable }) })
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const { openSqlite } = await import('./sqlite/open-sqlite.ts')
  const { claimDatabaseFile } = await import('./sqlite/file-lock.ts')
  const file = join(dataDir, 'signet.db')
  const release = options.shared ? () => {} : claimDatabaseFile(file)
  try {
    const db = await openSqlite({ file, sources, ...(onError && { onError }) })
    return { ...db, close: () => db.close().finally(release) }
  } catch (error) {
    release()
    throw error
  }
}
