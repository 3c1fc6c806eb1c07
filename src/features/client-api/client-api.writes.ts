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

/** The oldest of them, so many at once; gives how many went. */
export async function deleteNoncesBefore(
  db: Tx['db'],
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const old = db.selectFrom('used_nonces').select('digest').where('at', '<', before).orderBy('at').limit(limit)
  const { numDeletedRows } = await db.deleteFrom('used_nonces').where('digest', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
