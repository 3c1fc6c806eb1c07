import { thenId } from './column-types.ts'
import type { Migration } from './migration.ts'

/**
 * Licenses that were created in a period. Their IDs don't tell when: a license that was refunded gets a new one when it is
 * restored, and keeps its time.
 */
export const licensesByCreationMigration: Migration = {
  name: 'licenses by creation',
  sql: (engine) => `create index licenses_created on licenses (app_id, created_at${thenId(engine)});`,
}
