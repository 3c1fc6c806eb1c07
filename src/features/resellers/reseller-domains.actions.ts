import { reject, rejectProblem } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { isUniqueViolation } from '#database/engine-differences.ts'
import { type AccountContext, recordAudit, systemContext } from '#server/audit/audit.ts'
import { editedFields, rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import { randomText } from '#server/secrets/random-text.ts'
import type { Services } from '#server/services.ts'
import { getReseller, lockReseller } from './resellers.actions.ts'
import { findDomain, findVerifiedDomain, type VerifiedDomain, type ResellerDomain } from './resellers.reads.ts'
import { resellersErrors } from './resellers.errors.ts'
import { type DomainForm, domainKey, domainProblem, domainRecordName, domainRecordValue } from './resellers.rules.ts'
import { deleteDomainRow, lockDomain, replaceDomain, updateDomainCheck } from './resellers.writes.ts'

/** Custom domains of resellers: anyone can claim a domain, but only a TXT record verifies it. */

interface DomainChange extends DomainForm {
  /** The values that the caller saw of what it edits; the rest stays. */
  before: Partial<DomainForm> | undefined
}

/** Saving the same domain keeps its verification; a different domain must be verified again. */
export async function saveDomain(
  tx: Tx,
  context: AccountContext,
  id: string,
  { before, ...given }: DomainChange,
): Promise<void> {
  rejectProblem(resellersErrors, domainProblem(given))
  const reseller = await lockReseller(tx, context.actor.id, id)
  // Another reseller who verifies the domain meanwhile takes it from this row.
  const current = await lockDomain(tx.db, id)
  const change = { ...given, domain: domainKey(given.domain) }
  const stored = current && formOf(current)
  rejectFieldConflict({ before, change }, { ...stored })
  const { domain, ...form } = editedFields({ before, change }, stored)
  const isSame = current?.domain === domain
  await replaceDomain(tx.db, {
    reseller_id: id,
    domain,
    company_name: form.companyName.trim(),
    logo_url: form.logoUrl.trim(),
    primary_color: form.primaryColor,
    secondary_color: form.secondaryColor,
    proof: isSame ? current.proof : randomText(32),
    proved_at: isSame ? current.proved_at : null,
    ...(isSame && {
      checked_at: current.checked_at,
      missing_since: current.missing_since,
      lost_at: current.lost_at,
    }),
    created_at: isSame ? current.created_at : context.now,
  })
  await recordAudit(tx, context, { act: 'reseller.save-domain', target: reseller.username, details: { domain } })
}

const formOf = (row: ResellerDomain): DomainForm => ({
  domain: row.domain,
  companyName: row.company_name,
  logoUrl: row.logo_url,
  primaryColor: row.primary_color,
  secondaryColor: row.secondary_color,
})

/** TXT records found for a domain. */
export interface DomainRecords {
  domain: string
  texts: readonly string[]
}

/** Looks up the TXT records of the reseller's domain in DNS. Call it before a transaction, never inside one. */
export async function findDomainRecords(services: Services, ownerId: string, id: string): Promise<DomainRecords> {
  const { db } = services
  await getReseller(db.read, ownerId, id)
  const row = await findDomain(db.read, id)
  if (!row) return reject(resellersErrors, 'DOMAIN_NOT_FOUND')
  try {
    return { domain: row.domain, texts: await services.resolveTxt(domainRecordName(row.domain)) }
  } catch (error) {
    services.log.info({ err: error, domain: row.domain }, 'name servers do not answer')
    return reject(resellersErrors, 'DNS_UNAVAILABLE')
  }
}

/**
 * Verifies the domain for the reseller whose TXT record is present. A reseller who verified it earlier loses it only
 * if their record is gone, because the domain has then changed owners.
 */
export async function verifyDomain(
  tx: Tx,
  context: AccountContext,
  id: string,
  { domain, texts }: DomainRecords,
): Promise<ResellerDomain> {
  const reseller = await lockReseller(tx, context.actor.id, id)
  const row = await findDomain(tx.db, id)
  // The domain was changed during the lookup; the new one has not been looked up.
  if (row?.domain !== domain) return reject(resellersErrors, 'DOMAIN_NOT_PROVED')
  if (!texts.includes(domainRecordValue(row.proof))) {
    const isOther = texts.some((text) => text.startsWith(domainRecordValue('')))
    return reject(resellersErrors, isOther ? 'DOMAIN_PROOF_WRONG' : 'DOMAIN_NOT_PROVED')
  }
  const other = await findVerifiedDomain(tx.db, domain)
  if (other && other.reseller_id !== id) {
    if (texts.includes(domainRecordValue(other.proof))) reject(resellersErrors, 'DOMAIN_TAKEN')
    await loseDomain(tx, other, { reason: 'proved by somebody else', now: context.now })
  }
  const proved = {
    proved_at: row.proved_at ?? context.now,
    checked_at: context.now,
    missing_since: null,
    lost_at: null,
  }
  await updateDomainCheck(tx.db, id, proved).catch((error: unknown) => {
    // Two resellers verified the same domain concurrently.
    if (isUniqueViolation(error)) reject(resellersErrors, 'DOMAIN_TAKEN')
    throw error
  })
  await recordAudit(tx, context, { act: 'reseller.prove-domain', target: reseller.username, details: { domain } })
  return { ...row, ...proved }
}

interface Loss {
  reason: 'proved by somebody else' | 'record missing'
  now: number
}

/** Removes the verification. The owner's audit log says why, but not who has the domain now. `now` in epoch seconds. */
export async function loseDomain(tx: Tx, domain: VerifiedDomain, { reason, now }: Loss): Promise<void> {
  const { reseller_id: id, owner_id: ownerId, username, missing_since: missingSince } = domain
  await updateDomainCheck(tx.db, id, { proved_at: null, checked_at: now, missing_since: null, lost_at: now })
  const details = { domain: domain.domain, reason, ...(missingSince !== null && { missingSince }) }
  await recordAudit(tx, systemContext(now), { act: 'reseller.lose-domain', target: username, ownerId, details })
}

export async function deleteDomain(tx: Tx, context: AccountContext, id: string): Promise<void> {
  const reseller = await lockReseller(tx, context.actor.id, id)
  if (!(await deleteDomainRow(tx.db, id))) reject(resellersErrors, 'DOMAIN_NOT_FOUND')
  await recordAudit(tx, context, { act: 'reseller.delete-domain', target: reseller.username })
}
