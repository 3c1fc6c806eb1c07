import type { Migration } from './migration.ts'

/** Users whose imported bcrypt hash has not been replaced yet: the last one of an app is noticed without a scan. */
export const importedHashesMigration: Migration = {
  name: 'imported hashes',
  sql: () => `create index users_imported on users (app_id) where substr(password_hash, 1, 2) = '$2';`,
}
