import { type Generated, sql } from 'kysely'
import type { Reader, Tx } from '#database/database.ts'
import { deleteBatch } from '#database/delete-rows.ts'

/** Complete and verified backups, recorded for the status page and the metrics. */
export interface BackupsTable {
  id: Generated<number>
  /** `takenAt`: the column has its name from the first release. */
  finished_at: number
  bytes: number
}

declare module '#database/schema.ts' {
  interface Schema {
    backups: BackupsTable
  }
}

export interface FinishedBackup {
  /**
   * Epoch seconds of the moment whose data it has, which is its start: what has changed since would be lost.
   */
  takenAt: number
  /** Total size of its files. */
  bytes: number
}

const retentionSeconds = 90 * 86_400
/** How far the clock of a backup may be ahead of the server's, which doesn't follow a jump at once. */
const maxAheadSeconds = 3600

/**
 * Records a complete and verified backup, and deletes old ones and those of a clock that was ahead. A failed backup is
 * not recorded, so that it shows as missing.
 */
export async function recordBackup(tx: Tx, { takenAt, bytes }: FinishedBackup): Promise<void> {
  await tx.db.insertInto('backups').values({ finished_at: takenAt, bytes }).execute()
  const oldest = takenAt - retentionSeconds
  await deleteBatch(tx.db, 'backups', sql`finished_at < ${oldest} order by finished_at`, 100)
  // Of backups made at the same time, none deletes another.
  const latest = takenAt + 86_400
  await deleteBatch(tx.db, 'backups', sql`finished_at > ${latest} order by finished_at`, 100)
}

/** `now` in epoch seconds. A backup of a clock that was ahead would hide that later ones are missing. */
export async function findLastBackup(db: Reader, now: number): Promise<FinishedBackup | undefined> {
  const row = await db
    .selectFrom('backups')
    .select(['finished_at', 'bytes'])
    .where('finished_at', '<=', now + maxAheadSeconds)
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { takenAt: Number(row.finished_at), bytes: Number(row.bytes) }
}
