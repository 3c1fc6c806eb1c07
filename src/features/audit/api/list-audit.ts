import { maxCounted, pageCount } from '#contract/fields.ts'
import type { SortBy } from '#contract/sort-field.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { auditContract } from '../audit.contract.ts'
import { type AuditChoice, countAudit, listAudit as readAudit } from '../audit.reads.ts'
import { listedEntries } from '../listed-entries.ts'

interface Page {
  page: number
  limit: number
  sort: SortBy<'time'> | undefined
}

async function pageOf(
  {
    services: { db },
    actor,
    now,
  }: CallContext<typeof auditContract.listAudit | typeof auditContract.listPlatformAudit>,
  choice: AuditChoice,
  { page, limit, sort }: Page,
) {
  const counted = await countAudit(db.reports, choice, maxCounted + 1)
  const total = Math.min(counted, maxCounted)
  const rows = await readAudit(db.reports, { ...choice, limit, offset: (page - 1) * limit, sort })
  const entries = await listedEntries(db.reports, rows, { accountId: actor.id, isOwn: choice.isOwn, now })
  return { entries, total, isMore: counted > maxCounted, totalPages: pageCount(total, limit) }
}

export const listAudit = endpoint(auditContract.listAudit, {
  read: (context) => {
    const { page = 1, limit = 10, sort, ...filter } = context.query
    const choice = { ...filter, ownerId: context.actor.id, isOwn: true, now: context.now }
    return pageOf(context, choice, { page, limit, sort })
  },
})

export const listPlatformAudit = endpoint(auditContract.listPlatformAudit, {
  read: (context) => {
    const { page = 1, limit = 10, sort, ...filter } = context.query
    return pageOf(context, { ...filter, isOwn: false, now: context.now }, { page, limit, sort })
  },
})
