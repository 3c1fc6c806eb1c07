import type { Feature } from '#server/endpoint.ts'
import { auditSealer } from './audit-chain.ts'
import { verifyAuditJob } from './verify-audit.ts'

/** Who did what to which row: sealed, searched and verified. Every feature writes its own rows. */
export const audit: Feature = {
  name: 'audit',
  contract: {},
  endpoints: [],
  jobs: { 'verify-audit': verifyAuditJob },
  start: async (services) => auditSealer(services).start(),
}
