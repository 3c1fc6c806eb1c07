import type { Transaction } from 'kysely'
import { deleteRows } from '#database/delete-rows.ts'
import type { Schema } from '#database/schema.ts'

export const deleteItems = (trx: Transaction<Schema>, appId: string, values: readonly number[]): Promise<number> =>
  deleteRows(trx, 'bin_items', appId, { column: 'id', values })

export async function updateContent(trx: Transaction<Schema>, id: number, content: object): Promise<void> {
  await trx
    .updateTable('bin_items')
    .set({ content: JSON.stringify(content) })
    .where('id', '=', id)
    .execute()
}
