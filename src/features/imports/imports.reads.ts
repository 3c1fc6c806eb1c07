import type { Selectable } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { ImportSettings, ImportsTable } from './imports.table.ts'

export type Import = Selectable<ImportsTable>

export const settingsOf = ({ settings }: Pick<Import, 'settings'>): ImportSettings =>
  JSON.parse(settings) as ImportSettings

const maxListed = 50

export interface ListedImport extends Import {
  /** Whether a batch is left to be undone. */
  hasUndo: boolean
}

/** The imports into an app since a time, newest first. */
export async function listImports(db: Reader, appId: string, since: number): Promise<ListedImport[]> {
  const imports = await db
    .selectFrom('imports')
    .selectAll()
    .where('app_id', '=', appId)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(maxListed)
    .execute()
  const undoable = await listUndoable(db, imports)
  return imports.map((row) => ({ ...row, hasUndo: undoable.has(row.id) }))
}

/** The first batch is the last one to be undone. */
async function listUndoable(db: Reader, imports: readonly Import[]): Promise<Set<string>> {
  if (imports.length === 0) return new Set()
  const ids = imports.map(({ id }) => id)
  const batches = await db
    .selectFrom('undo_batches')
    .select('operation_id')
    .where('operation_id', 'in', ids)
    .where('number', '=', 1)
    .execute()
  return new Set(batches.map(({ operation_id: id }) => id))
}

/** The newest imports of the same file since a time that have imported no row. */
export const listWithoutRows = (
  db: Reader,
  { appId, kind, fileName, fingerprint, since }: ImportedFile & { appId: string; since: number },
): Promise<Pick<Import, 'settings' | 'created_at'>[]> =>
  db
    .selectFrom('imports')
    .select(['settings', 'created_at'])
    .where('app_id', '=', appId)
    .where('created_at', '>', since)
    .where('kind', '=', kind)
    .where('file_name', '=', fileName)
    .where('fingerprint', '=', fingerprint)
    .where('batches', '=', 0)
    .orderBy('created_at', 'desc')
    .limit(maxListed)
    .execute()

interface ImportedFile {
  kind: Import['kind']
  fileName: string
  fingerprint: string
}

export const findImport = (db: Reader, appId: string, id: string): Promise<Import | undefined> =>
  db.selectFrom('imports').selectAll().where('id', '=', id).where('app_id', '=', appId).executeTakeFirst()

/** The result of a batch that is done, with the hash of its request. */
export const findBatch = (db: Reader, importId: string, number: number) =>
  db
    .selectFrom('import_batches')
    .select(['request_hash', 'result'])
    .where('import_id', '=', importId)
    .where('number', '=', number)
    .executeTakeFirst()

/** Results of the batches after this one, in order. */
export const listBatchesAfter = (db: Reader, importId: string, after: number, limit: number) =>
  db
    .selectFrom('import_batches')
    .select(['number', 'result'])
    .where('import_id', '=', importId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()
