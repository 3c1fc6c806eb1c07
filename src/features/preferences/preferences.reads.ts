import type { Selectable } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { PreferencesTable, SavedViewsTable } from './preferences.table.ts'

export type SavedView = Selectable<SavedViewsTable>

/** Whose preferences: the column of the owner or of the reseller, and the ID. */
export interface PreferencesOf {
  column: 'account_id' | 'reseller_id'
  id: string
}

export const listPreferences = (
  db: Reader,
  { column, id }: PreferencesOf,
): Promise<Pick<Selectable<PreferencesTable>, 'name' | 'value'>[]> =>
  db.selectFrom('preferences').select(['name', 'value']).where(column, '=', id).orderBy('name').execute()

export const listViews = (db: Reader, { column, id }: PreferencesOf, table: string): Promise<SavedView[]> =>
  db
    .selectFrom('saved_views')
    .selectAll()
    .where(column, '=', id)
    .where('table_id', '=', table)
    .orderBy('name_key')
    .execute()
