import type { Feature } from '#server/http/endpoint.ts'
import { auditCalls } from './api/audit.ts'
import { exportAudit, exportPlatformAudit } from './api/export-audit.ts'
import { auditSealer, redactAuditAddresses, findSealedHead, unsealedSeconds } from './audit-chain.ts'
import { auditContract } from './audit.contract.ts'
import { verifyAuditJob } from './verify-audit.ts'

/** The audit log: sealing, search and verification. Every feature writes its own rows. */
export const audit: Feature = {
  name: 'audit',
  // Deleting an app removes the names of its customers; the audit rows stay.
  appTables: ['audit_targets', 'audit_operations'],
  contract: auditContract,
  endpoints: [...auditCalls, exportAudit, exportPlatformAudit],
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
