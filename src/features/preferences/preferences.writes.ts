import type { Insertable, Updateable } from 'kysely'
import type { Transaction } from '#database/database.ts'
import type { PreferencesOf, SavedView } from './preferences.reads.ts'
import type { SavedViewsTable } from './preferences.table.ts'

const columnsOf = ({ column, id }: PreferencesOf) => ({ account_id: null, reseller_id: null, [column]: id })

export async function upsertPreference(
  trx: Transaction,
  of: PreferencesOf,
  { name, value }: { name: string; value: string },
): Promise<void> {
  await trx
    .insertInto('preferences')
    .values({ ...columnsOf(of), name, value })
    .onConflict((conflict) => conflict.columns([of.column, 'name']).doUpdateSet({ value }))
    .execute()
}

export async function deletePreference(trx: Transaction, { column, id }: PreferencesOf, name: string): Promise<void> {
  await trx.deleteFrom('preferences').where(column, '=', id).where('name', '=', name).execute()
}

/** False if the name is taken. */
export async function insertView(
  trx: Transaction,
  of: PreferencesOf,
  view: Omit<Insertable<SavedViewsTable>, 'account_id' | 'reseller_id'>,
): Promise<boolean> {
  const result = await trx
    .insertInto('saved_views')
    .values({ ...columnsOf(of), ...view })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
}

/** Of nobody else: a foreign view is a missing one. */
export const findViewToChange = (
  trx: Transaction,
  { column, id }: PreferencesOf,
  view: string,
): Promise<SavedView | undefined> =>
  trx.selectFrom('saved_views').selectAll().where('id', '=', view).where(column, '=', id).executeTakeFirst()

export async function updateViewRow(trx: Transaction, id: string, change: Updateable<SavedViewsTable>): Promise<void> {
  await trx.updateTable('saved_views').set(change).where('id', '=', id).execute()
}

/** False if the person has no such view. */
export async function deleteViewRow(trx: Transaction, { column, id }: PreferencesOf, view: string): Promise<boolean> {
  const result = await trx.deleteFrom('saved_views').where('id', '=', view).where(column, '=', id).executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}
