import { sql } from 'kysely'
import type { Tx } from '#database/database.ts'
import { deleteBatch } from '#database/delete-rows.ts'
import type { UsedNoncesTable } from './client-api.table.ts'

/** Gives those that were not there. In one order, so that two processes never wait for each other in a circle. */
export async function insertNonces(db: Tx['db'], digests: readonly string[], at: number): Promise<Set<string>> {
  const nonces = digests.toSorted().map((digest): UsedNoncesTable => ({ digest, at }))
  const rows = await db
    .insertInto('used_nonces')
    .values(nonces)
    .onConflict((conflict) => conflict.doNothing())
    .returning('digest')
    .execute()
  return new Set(rows.map(({ digest }) => digest))
}

/** At most `limit` of them; how many there were. */
export const deleteNoncesBefore = (db: Tx['db'], before: number, limit: number): Promise<number> =>
  deleteBatch(db, 'used_nonces', sql`at < ${before} order by at`, limit)
