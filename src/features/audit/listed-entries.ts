import type { Reader } from '#database/database.ts'
import type { NamedAuditRow } from './audit.reads.ts'
import { auditReply } from './audit.reply.ts'
import { findUndos, undoOfRow } from './find-undos.ts'

interface EntriesReader {
  accountId: string
  /** The reader is an owner, who sees the own account only. */
  isOwn: boolean
  /** Epoch seconds. */
  now: number
}

/** Rows as lists and single entries reply them: with what can be done with each now. */
export async function listedEntries(
  db: Reader,
  rows: readonly NamedAuditRow[],
  { accountId, isOwn, now }: EntriesReader,
) {
  // An administrator undoes actions on owners, and on the own account only.
  const own = rows.filter(({ owner_id, act }) => owner_id === accountId || (!isOwn && act.startsWith('owner.')))
  const undos = await findUndos(db, own, now)
  return rows.map((row) => ({ ...auditReply(row, { accountId, isOwn }), ...undoOfRow(undos, row.id) }))
}
