import type { Migration } from './migration.ts'
import { firstRelease } from './001-first-release/first-release.ts'
import { incompleteUploadsMigration } from './002-incomplete-uploads.ts'
import { auditTargetsMigration } from './003-audit-targets.ts'
import { webhookNamesMigration } from './004-webhook-names.ts'
import { activeSessionsMigration } from './005-active-sessions.ts'
import { resellerSecurityMigration } from './006-reseller-security.ts'
import { replacedKeysMigration } from './007-replaced-keys.ts'
import { lookUpsMigration } from './008-look-ups.ts'
import { webhookListenersMigration } from './009-webhook-listeners.ts'
import { binMigration } from './010-bin.ts'
import { preferencesMigration } from './011-preferences.ts'
import { auditOperationsMigration } from './012-audit-operations.ts'
import { sortedListsMigration } from './013-sorted-lists.ts'
import { importsMigration } from './014-imports.ts'
import { filesInBinMigration } from './015-files-in-the-bin.ts'
import { countedSessionsAndLogsMigration } from './016-counted-sessions-and-logs.ts'
import { knownAccessMigration } from './017-known-access.ts'
import { searchedPunctuationMigration } from './018-searched-punctuation.ts'
import { licensesByCreationMigration } from './019-licenses-by-creation.ts'
import { countsByBlockMigration } from './020-counts-by-block.ts'
import { pendingListsMigration } from './021-pending-lists.ts'
import { licenseSharesMigration } from './022-license-shares.ts'
import { keysInAnyCaseMigration } from './023-keys-in-any-case.ts'
import { importedHashesMigration } from './024-imported-hashes.ts'
import { allowedLevelsMigration } from './025-allowed-levels.ts'

/** In order; a migration that has landed never changes. */
export const migrations: readonly Migration[] = [
  firstRelease,
  incompleteUploadsMigration,
  auditTargetsMigration,
  webhookNamesMigration,
  activeSessionsMigration,
  resellerSecurityMigration,
  replacedKeysMigration,
  lookUpsMigration,
  webhookListenersMigration,
  binMigration,
  preferencesMigration,
  auditOperationsMigration,
  sortedListsMigration,
  importsMigration,
  filesInBinMigration,
  countedSessionsAndLogsMigration,
  knownAccessMigration,
  searchedPunctuationMigration,
  licensesByCreationMigration,
  countsByBlockMigration,
  pendingListsMigration,
  licenseSharesMigration,
  keysInAnyCaseMigration,
  importedHashesMigration,
  allowedLevelsMigration,
]
