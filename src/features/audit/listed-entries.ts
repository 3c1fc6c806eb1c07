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

const isOfPlatform = (act: string): boolean => /^(owner|plan)\./.test(act)

/** Rows as lists and single entries reply them: with what can be done with each now. */
export async function listedEntries(
  db: Reader,
  rows: readonly NamedAuditRow[],
  { accountId, isOwn, now }: EntriesReader,
) {
  // An administrator undoes actions on owners and plans, in the administration, and on the own account.
  const own = rows.filter(({ owner_id, act }) => (isOfPlatform(act) ? !isOwn : owner_id === accountId))
  const undos = await findUndos(db, own, now)
  return rows.map((row) => ({ ...auditReply(row, { accountId, isOwn }), ...undoOfRow(undos, row.id) }))
}
