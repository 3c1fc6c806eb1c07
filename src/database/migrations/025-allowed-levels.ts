import type { Migration } from './migration.ts'

/** Tells a level that resellers may sell from a later one with its number. */
export const allowedLevelsMigration: Migration = {
  name: 'allowed levels',
  sql: () => `alter table reseller_apps add column allowed_level_times text;`,
}
