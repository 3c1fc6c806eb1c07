import type { Transaction } from '#database/database.ts'
import { deleteRows } from '#database/delete-rows.ts'

export const deleteItems = (trx: Transaction, appId: string, values: readonly number[]): Promise<number> =>
  deleteRows(trx, 'bin_items', appId, { column: 'id', values })

export async function updateContent(trx: Transaction, id: number, content: object): Promise<void> {
  await trx
    .updateTable('bin_items')
    .set({ content: JSON.stringify(content) })
    .where('id', '=', id)
    .execute()
}
