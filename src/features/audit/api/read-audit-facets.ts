import { maxCounted } from '#contract/fields.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { auditContract } from '../audit.contract.ts'
import { countByValue } from '../audit-facets.reads.ts'

export const readAuditFacets = endpoint(auditContract.readAuditFacets, {
  read: async ({ services: { db }, actor, query, now }) => ({
    ...(await countByValue(db.reports, { ...query, ownerId: actor.id, isOwn: true, now }, maxCounted)),
  }),
})

export const readPlatformAuditFacets = endpoint(auditContract.readPlatformAuditFacets, {
  read: async ({ services: { db }, query, now }) => ({
    ...(await countByValue(db.reports, { ...query, isOwn: false, now }, maxCounted)),
  }),
})
