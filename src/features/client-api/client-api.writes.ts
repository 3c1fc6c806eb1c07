import type { Tx } from '#database/database.ts'
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

export async function deleteNoncesBefore(db: Tx['db'], before: number): Promise<void> {
  await db.deleteFrom('used_nonces').where('at', '<', before).execute()
}
