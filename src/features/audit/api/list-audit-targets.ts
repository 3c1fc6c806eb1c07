import { pageCount } from '#contract/fields.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { auditContract } from '../audit.contract.ts'
import { countTargets, listTargets } from '../audit.reads.ts'

async function pageOf(
  {
    services: { db },
    params,
    query: { page = 1, limit = 10 },
  }: CallContext<typeof auditContract.listAuditTargets | typeof auditContract.listPlatformAuditTargets>,
  ownerId: string | undefined,
) {
  // A text that is not a number matches no row.
  const auditId = /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0
  const choice = { auditId, ownerId }
  const total = await countTargets(db.reports, choice)
  const targets = await listTargets(db.reports, { ...choice, limit, offset: (page - 1) * limit })
  return { targets, total, totalPages: pageCount(total, limit) }
}

export const listAuditTargets = endpoint(auditContract.listAuditTargets, {
  read: (context) => pageOf(context, context.actor.id),
})

export const listPlatformAuditTargets = endpoint(auditContract.listPlatformAuditTargets, {
  read: (context) => pageOf(context, undefined),
})
