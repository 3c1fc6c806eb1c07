import { reject } from '#contract/errors.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { auditContract } from '../audit.contract.ts'
import { auditErrors } from '../audit.errors.ts'
import { findAudit } from '../audit.reads.ts'
import { listedEntries } from '../listed-entries.ts'

async function entryOf(
  {
    services: { db },
    actor,
    now,
    params,
  }: CallContext<typeof auditContract.readAuditEntry | typeof auditContract.readPlatformAuditEntry>,
  isOwn: boolean,
) {
  // A text that is not a number matches no row.
  const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0
  const row = await findAudit(db.reports, { id, ownerId: isOwn ? actor.id : undefined })
  const [entry] = row ? await listedEntries(db.reports, [row], { accountId: actor.id, isOwn, now }) : []
  return { entry: entry ?? reject(auditErrors, 'AUDIT_ENTRY_NOT_FOUND') }
}

export const readAuditEntry = endpoint(auditContract.readAuditEntry, {
  read: (context) => entryOf(context, true),
})

export const readPlatformAuditEntry = endpoint(auditContract.readPlatformAuditEntry, {
  read: (context) => entryOf(context, false),
})
