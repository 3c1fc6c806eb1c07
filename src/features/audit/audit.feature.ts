import type { Feature } from '#server/http/endpoint.ts'
import { exportAudit, exportPlatformAudit } from './api/export-audit.ts'
import { listAudit, listPlatformAudit } from './api/list-audit.ts'
import { listAuditTargets, listPlatformAuditTargets } from './api/list-audit-targets.ts'
import { readAuditEntry, readPlatformAuditEntry } from './api/read-audit-entry.ts'
import { readAuditFacets, readPlatformAuditFacets } from './api/read-audit-facets.ts'
import { auditSealer, redactAuditAddresses, findSealedHead, unsealedSeconds } from './audit-chain.ts'
import { auditContract } from './audit.contract.ts'
import { undoEntry } from './api/undo-entry.ts'
import { verifyAuditJob } from './verify-audit.ts'

/** The audit log: sealing, search and verification. Every feature writes its own rows. */
export const audit: Feature = {
  name: 'audit',
  // Deleting an app removes the names of its customers; the audit rows stay.
  appTables: ['audit_targets', 'audit_operations'],
  contract: auditContract,
  endpoints: [
    listAudit,
    readAuditEntry,
    listAuditTargets,
    undoEntry,
    readAuditFacets,
    exportAudit,
    listPlatformAudit,
    readPlatformAuditEntry,
    listPlatformAuditTargets,
    readPlatformAuditFacets,
    exportPlatformAudit,
  ],
  gauges: [
    {
      name: 'signet_audit_unsealed_seconds',
      help: 'Time for which the oldest action has been waiting for its seal in the audit chain, in seconds; 0 if all are sealed',
      read: async (services) => [{ value: await unsealedSeconds(services) }],
    },
  ],
  jobs: { 'verify-audit': verifyAuditJob, 'blank-audit-addresses': redactAuditAddresses },
  sealedValue: findSealedHead,
  start: async (services) => auditSealer(services).start(),
}
