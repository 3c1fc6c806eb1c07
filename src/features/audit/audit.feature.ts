import type { Feature } from '#server/endpoint.ts'
import { exportAudit, exportPlatformAudit } from './api/export-audit.ts'
import { listAudit, listPlatformAudit } from './api/list-audit.ts'
import { auditSealer, blankAuditAddresses } from './audit-chain.ts'
import { auditContract } from './audit.contract.ts'
import { verifyAuditJob } from './verify-audit.ts'

/** Who did what to which row: sealed, searched and verified. Every feature writes its own rows. */
export const audit: Feature = {
  name: 'audit',
  contract: auditContract,
  endpoints: [listAudit, exportAudit, listPlatformAudit, exportPlatformAudit],
  jobs: { 'verify-audit': verifyAuditJob, 'blank-audit-addresses': blankAuditAddresses },
  start: async (services) => auditSealer(services).start(),
}
