import { maxCounted, pageCount } from '#contract/fields.ts'
import { reject } from '#contract/errors.ts'
import type { SortBy } from '#contract/sort-field.ts'
import { type CallContext, endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { countByValue } from '../audit-facets.reads.ts'
import { auditContract as contract } from '../audit.contract.ts'
import { auditErrors } from '../audit.errors.ts'
import { type AuditChoice, countAudit, countTargets, findAudit, listAudit, listTargets } from '../audit.reads.ts'
import { listedEntries } from '../listed-entries.ts'
import { undoEntry } from '../undo.actions.ts'

/** Each for owners, with the entries of their account and apps, and for administrators, with those of the platform. */
export const auditCalls: readonly Endpoint[] = [
  endpoint(contract.listAudit, {
    read: (context) => {
      const { page = 1, limit = 10, sort, ...filter } = context.query
      const choice = { ...filter, ownerId: context.actor.id, isOwn: true, now: context.now }
      return pageOf(context, choice, { page, limit, sort })
    },
  }),
  endpoint(contract.listPlatformAudit, {
    read: (context) => {
      const { page = 1, limit = 10, sort, ...filter } = context.query
      return pageOf(context, { ...filter, isOwn: false, now: context.now }, { page, limit, sort })
    },
  }),
  endpoint(contract.readAuditEntry, { read: (context) => entryOf(context, true) }),
  endpoint(contract.readPlatformAuditEntry, { read: (context) => entryOf(context, false) }),
  endpoint(contract.listAuditTargets, { read: (context) => targetsOf(context, context.actor.id) }),
  endpoint(contract.listPlatformAuditTargets, { read: (context) => targetsOf(context, undefined) }),
  endpoint(contract.readAuditFacets, {
    read: async ({ services: { db }, actor, query, now }) => ({
      ...(await countByValue(db.reports, { ...query, ownerId: actor.id, isOwn: true, now }, maxCounted)),
    }),
  }),
  endpoint(contract.readPlatformAuditFacets, {
    read: async ({ services: { db }, query, now }) => ({
      ...(await countByValue(db.reports, { ...query, isOwn: false, now }, maxCounted)),
    }),
  }),
  endpoint(contract.undoEntry, {
    write: async (tx, context) => {
      await undoEntry(tx, context, idOf(context.params))
      return { code: 'AUDIT_UNDO_OK' }
    },
  }),
]

/** A text that is not a number matches no row. */
const idOf = ({ id }: { id: string }): number => (/^\d{1,15}$/.test(id) ? Number(id) : 0)

type ContextOf<Key extends keyof typeof contract> = CallContext<(typeof contract)[Key]>

interface Page {
  page: number
  limit: number
  sort: SortBy<'time'> | undefined
}

async function pageOf(
  { services: { db }, actor, now }: ContextOf<'listAudit' | 'listPlatformAudit'>,
  choice: AuditChoice,
  { page, limit, sort }: Page,
) {
  const counted = await countAudit(db.reports, choice, maxCounted + 1)
  const total = Math.min(counted, maxCounted)
  const rows = await listAudit(db.reports, { ...choice, limit, offset: (page - 1) * limit, sort })
  const entries = await listedEntries(db.reports, rows, { accountId: actor.id, isOwn: choice.isOwn, now })
  return { entries, total, isMore: counted > maxCounted, totalPages: pageCount(total, limit) }
}

async function entryOf(
  { services: { db }, actor, now, params }: ContextOf<'readAuditEntry' | 'readPlatformAuditEntry'>,
  isOwn: boolean,
) {
  const row = await findAudit(db.reports, { id: idOf(params), ownerId: isOwn ? actor.id : undefined })
  const [entry] = row ? await listedEntries(db.reports, [row], { accountId: actor.id, isOwn, now }) : []
  return { entry: entry ?? reject(auditErrors, 'AUDIT_ENTRY_NOT_FOUND') }
}

async function targetsOf(
  { services: { db }, params, query }: ContextOf<'listAuditTargets' | 'listPlatformAuditTargets'>,
  ownerId: string | undefined,
) {
  const { page = 1, limit = 10 } = query
  const choice = { auditId: idOf(params), ownerId }
  const total = await countTargets(db.reports, choice)
  const targets = await listTargets(db.reports, { ...choice, limit, offset: (page - 1) * limit })
  return { targets, total, totalPages: pageCount(total, limit) }
}
