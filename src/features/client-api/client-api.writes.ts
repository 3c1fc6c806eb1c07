import { sql } from 'kysely'
import type { Database, Tx } from '#database/database.ts'
import { deleteInBatches } from '#database/delete-rows.ts'
import { preparedQuery } from '#database/prepared-query.ts'
import type { UsedNoncesTable } from './client-api.table.ts'

const newNonce = preparedQuery((db, nonce: UsedNoncesTable) =>
  db
    .insertInto('used_nonces')
    .values({ digest: nonce.digest, at: nonce.at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('digest'),
)

/** False if the nonce exists; waits for a concurrent transaction that is inserting it. */
export const insertNonce = async (db: Tx['db'], nonce: UsedNoncesTable): Promise<boolean> =>
  (await newNonce(db, nonce)).length > 0

/** `before` in epoch milliseconds. */
export const deleteNoncesBefore = (db: Database, before: number): Promise<void> =>
  deleteInBatches(db, 'used_nonces', sql`at < ${before} order by at`)
