import type { Selectable } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { ImportSettings, ImportsTable } from './imports.table.ts'

export type Import = Selectable<ImportsTable>

export const settingsOf = ({ settings }: Pick<Import, 'settings'>): ImportSettings =>
  JSON.parse(settings) as ImportSettings

const maxListed = 50

/** The imports into an app since a time, newest first, and whether something of them is left to be undone. */
export const listImports = (db: Reader, appId: string, since: number) =>
  db
    .selectFrom('imports')
    .selectAll()
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('undo_batches as batch').select('batch.number').whereRef('batch.operation_id', '=', 'imports.id'),
      ).as('undo_left'),
    )
    .where('app_id', '=', appId)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(maxListed)
    .execute()

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
