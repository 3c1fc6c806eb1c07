import { importRetentionSeconds } from './imports.actions.ts'
import { type Import, type ListedImport, settingsOf } from './imports.reads.ts'

/** An import that takes rows has an undo as soon as one of them was imported. */
export function importReply(row: Import | ListedImport) {
  const isUndoable = 'hasUndo' in row ? row.hasUndo : row.undone_at === null && row.created + row.overwritten > 0
  return {
    importId: row.id,
    kind: row.kind,
    source: row.source,
    fileName: row.file_name,
    fingerprint: row.fingerprint,
    settings: settingsOf(row),
    totalRows: row.total_rows,
    doneRows: row.done_rows,
    nextBatch: row.batches + 1,
    created: row.created,
    overwritten: row.overwritten,
    skipped: row.skipped,
    createdBy: row.created_by,
    createdAt: row.created_at,
    undoneAt: row.undone_at,
    undoableUntil: isUndoable ? row.created_at + importRetentionSeconds : null,
  }
}
