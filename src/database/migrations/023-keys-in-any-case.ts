import type { Migration } from './migration.ts'

/**
 * License keys regardless of case, which are ASCII. Not unique: there may be keys that differ only in case, and processes
 * of the previous version may create more.
 */
export const keysInAnyCaseMigration: Migration = {
  name: 'license keys in any case',
  sql: (engine) =>
    `create index licenses_key on licenses (app_id, lower(license${engine === 'postgres' ? ' collate "C"' : ''}));`,
}
