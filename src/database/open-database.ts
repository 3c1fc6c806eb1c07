import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createFolder } from './create-folder.ts'
import type { Database } from './database.ts'
import { shareConnections } from './postgres/connection-count.ts'
import type { SearchSource } from './search-source.ts'
import { explainSqlite, missingDatabase } from './unusable.ts'

export interface DatabaseOptions {
  /** `postgres://…`; without it, SQLite in `dataDir`. */
  databaseUrl?: string | undefined
  /** PostgreSQL: maximum number of connections of the process. */
  databaseConnections?: number | undefined
  dataDir: string
  sources: readonly SearchSource[]
  /** SQLite: opens the file next to a process that serves it and that does not notice changes; the file must exist. */
  shared?: boolean
  onError?: (error: unknown) => void
  /** SQLite: the disk didn't keep a commit. The process must end: only a new one can know what is on the disk. */
  onDiskFailure?: (error: unknown) => void
  /** Called when PostgreSQL cannot be reached, before each retry. Without it, that is an error. */
  onUnreachable?: (problem: string) => Promise<void>
  /** Reports a potential problem in one line. */
  onWarning?: (text: string) => void
}

/** Opens the database and runs its migrations. The engine that is not used is never loaded. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, databaseConnections, sources, onError, onDiskFailure, onUnreachable, onWarning } = options
  if (databaseUrl) {
    const { openPostgres } = await import('./postgres/open-postgres.ts')
    return openPostgres({
      url: databaseUrl,
      ...(databaseConnections && { connections: shareConnections(databaseConnections) }),
      ...(onError && { onError }),
      ...(onUnreachable && { onUnreachable }),
      ...(onWarning && { onWarning }),
    })
  }
  const file = join(options.dataDir, 'signet.db')
  let release = () => {}
  try {
    release = await claimFile(file, options)
    const { openSqlite } = await import('./sqlite/open-sqlite.ts')
    const { denyOtherUsers } = await import('./sqlite/file-mode.ts')
    denyOtherUsers(file)
    const db = await openSqlite({ file, sources, ...(onError && { onError }), ...(onDiskFailure && { onDiskFailure }) })
    return { ...db, close: () => db.close().finally(release) }
  } catch (error) {
    release()
    throw explainSqlite(file, error)
  }
}

async function claimFile(file: string, { dataDir, shared }: DatabaseOptions): Promise<() => void> {
  if (shared) {
    if (!existsSync(file)) throw missingDatabase(file)
    const { rejectSetAside } = await import('./sqlite/set-aside.ts')
    rejectSetAside(file)
    return () => {}
  }
  createFolder(dataDir)
  const { claimDatabaseFile } = await import('./sqlite/file-lock.ts')
  return claimDatabaseFile(file)
}
