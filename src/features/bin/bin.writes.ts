import type { Transaction } from '#database/database.ts'
import { deleteRows } from '#database/delete-rows.ts'

export const deleteItems = (trx: Transaction, appId: string, values: readonly number[]): Promise<number> =>
  deleteRows(trx, 'bin_items', appId, { column: 'id', values })
