import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from './database.ts'
import type { SearchSource } from './search-source.ts'

export interface DatabaseOptions {
  /** `postgres://…`; without it SQLite in `dataDir`. */
  databaseUrl?: string | undefined
  dataDir: string
  sources: readonly SearchSource[]
  onError?: (error: unknown) => void
}

/** Opens the database and brings its tables up to date. The engine that isn't used is never loaded. */
export async function openDatabase({ databaseUrl, dataDir, sources, onError }: DatabaseOptions): Promise<Database> {
  if (databaseUrl) {
    const { openPostgres } = await import('./postgres/open-postgres.ts')
    return openPostgres({ url: databaseUrl, ...(onError && { onError }) })
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const { openSqlite } = await import('./sqlite/open-sqlite.ts')
  return openSqlite({ file: join(dataDir, 'signet.db'), sources, ...(onError && { onError }) })
}
