import type { Migration } from '../migrate.ts'
import { accountsMigration } from './001-accounts.ts'
import { appsMigration } from './002-apps.ts'
import { licensesMigration } from './003-licenses.ts'
import { usersMigration } from './004-users.ts'
import { usersSearchMigration } from './005-users-search.ts'
import { sellerKeysMigration } from './006-seller-keys.ts'
import { userAccessMigration } from './007-user-access.ts'
import { exposedSellerKeysMigration } from './008-exposed-seller-keys.ts'
import { undoMigration } from './009-undo-and-durations.ts'
import { timeZoneMigration } from './010-time-zone.ts'
import { jobsMigration } from './011-jobs.ts'
import { logsMigration } from './012-logs.ts'
import { appVariablesMigration } from './013-app-variables.ts'
import { largeTableIndexesMigration } from './014-indexes-of-large-tables.ts'
import { knownDevicesMigration } from './015-known-devices-and-audit.ts'
import { serverTimeMigration } from './016-server-time.ts'
import { machinesMigration } from './017-machines-of-users.ts'
import { searchOfOneAppMigration } from './018-search-of-one-app.ts'
import { logRetentionMigration } from './019-log-retention.ts'
import { activityMigration } from './020-activity.ts'
import { alertsMigration } from './021-alerts.ts'
import { plansMigration } from './022-plans.ts'
import { downloadsMigration } from './023-downloads.ts'
import { webhooksMigration } from './024-webhooks.ts'
import { resellersMigration } from './025-resellers.ts'
import { statusMigration } from './026-status.ts'
import { auditChainMigration } from './027-audit-chain.ts'
import { usedNoncesMigration } from './028-used-nonces.ts'
import { provedDomainsMigration } from './029-proved-domains.ts'
import { mailMigration } from './030-mail.ts'
import { oneIndexOfRedeemedMigration } from './031-one-index-of-redeemed-licenses.ts'
import { usersOfALevelMigration } from './032-users-of-a-level.ts'
import { retentionOfAlertsMigration } from './033-retention-of-alerts.ts'
import { countsOfResellersMigration } from './034-counts-of-resellers.ts'
import { checkedDomainsMigration } from './035-checked-domains.ts'
import { addressRetentionMigration } from './036-address-retention.ts'
import { auditFiltersMigration } from './037-audit-filters.ts'
import { languageMigration } from './038-language.ts'
import { unscannedDownloadsMigration } from './039-unscanned-downloads.ts'
import { rareAuditFiltersMigration } from './040-rare-audit-filters.ts'

/** In order; a migration that has landed never changes. */
export const migrations: readonly Migration[] = [
  accountsMigration,
  appsMigration,
  licensesMigration,
  usersMigration,
  usersSearchMigration,
  sellerKeysMigration,
  userAccessMigration,
  exposedSellerKeysMigration,
  undoMigration,
  timeZoneMigration,
  jobsMigration,
  logsMigration,
  appVariablesMigration,
  largeTableIndexesMigration,
  knownDevicesMigration,
  serverTimeMigration,
  machinesMigration,
  searchOfOneAppMigration,
  logRetentionMigration,
  activityMigration,
  alertsMigration,
  plansMigration,
  downloadsMigration,
  webhooksMigration,
  resellersMigration,
  statusMigration,
  auditChainMigration,
  usedNoncesMigration,
  provedDomainsMigration,
  mailMigration,
  oneIndexOfRedeemedMigration,
  usersOfALevelMigration,
  retentionOfAlertsMigration,
  countsOfResellersMigration,
  checkedDomainsMigration,
  addressRetentionMigration,
  auditFiltersMigration,
  languageMigration,
  unscannedDownloadsMigration,
  rareAuditFiltersMigration,
]
