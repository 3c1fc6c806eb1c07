import { importRetentionSeconds } from './imports.actions.ts'
import { type Import, settingsOf } from './imports.reads.ts'

/** `undo_left` says whether a batch is left to be undone, of which an undo takes one after the other. */
export function importReply(row: Import & { undo_left?: unknown }) {
  const { undo_left: left = row.undone_at === null && row.created + row.overwritten > 0 } = row
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
    undoableUntil: left ? row.created_at + importRetentionSeconds : null,
  }
}
