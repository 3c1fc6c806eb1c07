import type { Selectable } from 'kysely'
import type { StoredBinKind } from '#contract/bin.ts'
import type { Transaction, Tx } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import type { Schema } from '#database/schema.ts'

/** What lies in the bin can change with what it belongs to: a license changes what its deleted user has from it. */

type BinItem = Selectable<Schema['bin_items']>

interface BinRows {
  appId: string
  kind: StoredBinKind
  rowIds: readonly number[]
}

/** Items by the IDs that their rows had, locked until the transaction ends. */
export const lockItemsOfRows = (trx: Transaction, { appId, kind, rowIds }: BinRows): Promise<BinItem[]> => {
  const query = trx
    .selectFrom('bin_items')
    .selectAll()
    .where('app_id', '=', appId)
    .where('kind', '=', kind)
    .where('row_id', 'in', [...rowIds])
    .orderBy('id', 'desc')
  return locking(trx, query).execute()
}

export async function updateContent(trx: Transaction, id: number, content: object): Promise<void> {
  await trx
    .updateTable('bin_items')
    .set({ content: JSON.stringify(content) })
    .where('id', '=', id)
    .execute()
}

/** Changes what these items in the bin contain. */
export async function changeItemsOfRows<C extends object>(
  tx: Tx,
  rows: BinRows,
  change: (rowId: number, content: C) => C,
): Promise<void> {
  if (rows.rowIds.length === 0) return
  for (const { id, row_id, content } of await lockItemsOfRows(tx.db, rows)) {
    await updateContent(tx.db, id, change(Number(row_id), JSON.parse(content) as C))
  }
}
