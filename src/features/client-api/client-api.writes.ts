import { sql } from 'kysely'
import type { Database, Tx } from '#database/database.ts'
import { deleteInBatches } from '#database/delete-rows.ts'
import { selectRowsOfJson } from '#database/engine-differences.ts'
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

const newNonces = preparedQuery((db, { rows }: { rows: string }) => ({
  compile: () =>
    // `where true`, because SQLite would read `on conflict` as the condition of a join.
    sql<{ digest: string }>`
    insert into used_nonces (digest, at)
    select given.* from (${selectRowsOfJson(db, { digest: 'text', at: 'bigint' }, rows)}) as given where true
    on conflict (digest) do nothing returning digest`.compile(db),
}))

/** False if one of several nonces exists; waits like `insertNonce`. */
export async function insertNonces(db: Tx['db'], nonces: readonly UsedNoncesTable[]): Promise<boolean> {
  const rows = nonces.map(({ digest, at }) => [digest, at])
  return (await newNonces(db, { rows: JSON.stringify(rows) })).length === nonces.length
}

/** `before` in epoch milliseconds. */
export const deleteNoncesBefore = (db: Database, before: number): Promise<void> =>
  deleteInBatches(db, 'used_nonces', sql`at < ${before} order by at`)
