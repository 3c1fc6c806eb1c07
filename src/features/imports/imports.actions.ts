import { createHash } from 'node:crypto'
import { binRetentionSeconds } from '#contract/bin.ts'
import { reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { lockApp } from '#features/apps/apps.actions.ts'
import { createLevel, getLevel, lockLevels } from '#features/levels/levels.actions.ts'
import { listLevels } from '#features/levels/levels.reads.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { newOperation, recordUndo } from '#server/bulk/undo-log.ts'
import type { BatchContext, Hwids } from './batch-context.ts'
import { importLicenses } from './import-licenses.ts'
import { importUsers } from './import-users.ts'
import type { LicenseRow, UserRow } from './imported-rows.rules.ts'
import { importsErrors } from './imports.errors.ts'
import { findBatch, type Import, listWithoutRows, settingsOf } from './imports.reads.ts'
import type { ImportSettings, ImportsTable } from './imports.table.ts'
import { addToImport, insertBatch, insertImport, lockImportRow } from './imports.writes.ts'
import { levelsOf, type RowResult } from './plan-batch.ts'

/** An import can be undone, and its report read, as long as deleted things are kept. */
export const importRetentionSeconds = binRetentionSeconds

export interface NewImport extends Pick<ImportsTable, 'kind' | 'source'> {
  fileName: string
  fingerprint: string
  rows: number
  settings: Omit<ImportSettings, 'levels'>
  /** A level of the app, or the name of one to create, for each label. */
  levels: readonly { label: string; level?: number | undefined; name?: string | undefined }[]
}

/** Starts an import: creates the levels that are missing. The rows come in batches. */
export async function startImport(tx: Tx, context: AppContext, form: NewImport): Promise<Import> {
  const { app, actor, now } = context
  const levels: ImportSettings['levels'] = []
  const earlier = form.levels.some(({ name }) => name !== undefined)
    ? await createdLevels(tx, context, form)
    : undefined
  for (const { label, level, name } of form.levels) {
    if (level !== undefined) levels.push({ label, level: (await getLevel(tx.db, app.id, level)).level })
    else if (name !== undefined) {
      const { level: number } =
        earlier?.find((each) => each.label === label && each.name === name.trim()) ??
        (await createLevel(tx, context, { name, active: true }))
      levels.push({ label, level: number })
    }
  }
  const row = await insertImport(tx.db, {
    id: newOperation(),
    app_id: app.id,
    kind: form.kind,
    source: form.source,
    file_name: form.fileName,
    fingerprint: form.fingerprint,
    settings: JSON.stringify({ ...form.settings, levels } satisfies ImportSettings),
    total_rows: form.rows,
    created_by: 'username' in actor ? actor.username : '',
    created_at: now,
    undone_at: null,
  })
  const details = { kind: form.kind, source: form.source, rows: form.rows }
  await recordAudit(tx, context, { act: 'import.start', target: form.fileName || row.id, details })
  return row
}

/**
 * The levels that earlier starts of the same file created without importing anything, such as one whose reply was lost
 * before somebody changed another choice (IMP-22).
 */
async function createdLevels(
  tx: Tx,
  { app, now }: AppContext,
  { kind, fileName, fingerprint }: NewImport,
): Promise<{ label: string; level: number; name: string }[]> {
  // Two starts at once see each other's levels.
  await lockApp(tx, app.id)
  const since = now - importRetentionSeconds
  const imports = await listWithoutRows(tx.db, { appId: app.id, kind, fileName, fingerprint, since })
  if (imports.length === 0) return []
  const existing = new Map((await listLevels(tx.db, app.id)).map((level) => [level.level, level]))
  return imports.flatMap((row) =>
    settingsOf(row).levels.flatMap(({ label, level }) => {
      const found = existing.get(level)
      return found && Number(found.created_at) === Number(row.created_at) ? [{ label, level, name: found.name }] : []
    }),
  )
}

interface Rows {
  licenses?: readonly LicenseRow[] | undefined
  users?: readonly UserRow[] | undefined
}

export interface BatchResult {
  created: number
  overwritten: number
  skipped: number
  results: RowResult[]
}

/**
 * Imports a batch in one transaction (IMP-12). A batch that is done is not repeated: its stored result is returned
 * (IMP-13).
 */
export async function importBatch(
  tx: Tx,
  context: AppContext,
  { importId, batch, rows, hwids }: { importId: string; batch: number; rows: Rows; hwids: Hwids | undefined },
): Promise<{ row: Import; result: BatchResult }> {
  const { app } = context
  const row = await lockImport(tx, app.id, importId)
  const requestHash = createHash('sha256').update(JSON.stringify(rows)).digest('base64url')
  if (batch <= row.batches) {
    const done = await findBatch(tx.db, row.id, batch)
    if (!done || done.request_hash !== requestHash) reject(importsErrors, 'IMPORT_BATCH_CHANGED')
    return { row, result: JSON.parse(done.result) as BatchResult }
  }
  if (row.undone_at !== null) reject(importsErrors, 'IMPORT_UNDONE')
  if (batch !== row.batches + 1) reject(importsErrors, 'IMPORT_BATCH_ORDER', { values: { next: row.batches + 1 } })
  const settings = settingsOf(row)
  const count = (row.kind === 'licenses' ? rows.licenses : rows.users)?.length ?? 0
  if (row.done_rows + count > row.total_rows) {
    reject(importsErrors, 'IMPORT_ROWS_EXCEEDED', { values: { total: row.total_rows } })
  }
  const existing = await lockLevels(
    tx,
    app.id,
    settings.levels.map(({ level }) => level),
  )
  const levelOf = levelsOf(settings.levels, (level) => existing.has(level))
  const of: BatchContext = { context, settings, levelOf }
  const done =
    row.kind === 'licenses'
      ? await importLicenses(tx, of, rows.licenses ?? [])
      : await importUsers(tx, of, { rows: rows.users ?? [], hwids })
  const result = {
    created: done.names.length - done.overwritten,
    overwritten: done.overwritten,
    skipped: count - done.names.length,
    results: done.results,
  }
  await recordUndo(tx, context, {
    act: 'import.run',
    undoId: row.created + row.overwritten > 0 ? row.id : undefined,
    newId: row.id,
    keepUntil: row.created_at + importRetentionSeconds,
    states: done.states,
  })
  await insertBatch(tx.db, {
    import_id: row.id,
    number: batch,
    request_hash: requestHash,
    result: JSON.stringify(result),
  })
  const updated = await addToImport(tx.db, row.id, { rows: count, ...result })
  await recordAudit(tx, context, {
    act: 'import.run',
    target: { noun: row.kind, names: done.names },
    details: { fileName: row.file_name, batch, created: result.created, overwritten: result.overwritten },
    operations: done.names.length > 0 ? [row.id] : [],
  })
  tx.publish(`access:${app.id}`)
  return { row: updated, result }
}

async function lockImport(tx: Tx, appId: string, importId: string): Promise<Import> {
  const row = await lockImportRow(tx.db, appId, importId)
  return row ?? reject(importsErrors, 'IMPORT_NOT_FOUND')
}
