import type { Generated } from 'kysely'

interface OfPerson {
  /** Of an owner or an administrator. */
  account_id: string | null
  reseller_id: string | null
}

export interface PreferencesTable extends OfPerson {
  id: Generated<number>
  /** `density`, `follow-logs`, or `columns.` and the ID of a table. */
  name: string
  /** As JSON. */
  value: string
}

export interface SavedViewsTable extends OfPerson {
  id: string
  table_id: string
  name: string
  /** Unique per person and table. */
  name_key: string
  /** Normalized, see `#contract/saved-view.ts`. */
  query: string
  /** As JSON. */
  columns: string
  created_at: number
}

declare module '#database/schema.ts' {
  interface Schema {
    preferences: PreferencesTable
    saved_views: SavedViewsTable
  }
}
