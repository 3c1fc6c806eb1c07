import type { Tx } from '#database/database.ts'
import type { JobHandler } from '#server/jobs/jobs.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { loseDomain } from './reseller-domains.actions.ts'
import { findDomain, listUncheckedDomains, type VerifiedDomain } from './resellers.reads.ts'
import { recordLossSeconds, domainRecordName, domainRecordValue } from './resellers.rules.ts'
import { lockResellerRow, updateDomainCheck } from './resellers.writes.ts'

/** Rechecks verified domains daily, so a reseller does not keep a domain that was sold or has lapsed. */

const daySeconds = 86_400
const domainsPerRun = 200
/** A query can take seconds to time out. */
const queriesAtOnce = 10

/** Null when the lookup fails or times out, which neither confirms nor refutes the record. */
const textsOf = ({ log, resolveTxt }: Services, domain: string): Promise<readonly string[] | null> =>
  resolveTxt(domainRecordName(domain)).catch((error: unknown) => {
    log.info({ err: error, domain }, 'name servers do not answer')
    return null
  })

async function judgeDomain(tx: Tx, seen: VerifiedDomain, texts: readonly string[] | null, now: number): Promise<void> {
  await lockResellerRow(tx.db, seen.reseller_id)
  const row = await findDomain(tx.db, seen.reseller_id)
  // The domain was changed, deleted or taken over during the lookup.
  if (row?.proof !== seen.proof || row.proved_at === null) return
  const isVerified = texts?.includes(domainRecordValue(row.proof))
  // A time in the future is from before the clock was set back.
  const since = row.missing_since === null ? null : Math.min(row.missing_since, now)
  const missingSince = isVerified ? null : isVerified === undefined ? since : (since ?? now)
  if (isVerified === false && missingSince !== null && now - missingSince >= recordLossSeconds)
    await loseDomain(tx, { ...seen, missing_since: missingSince }, { reason: 'record missing', now })
  else await updateDomainCheck(tx.db, row.reseller_id, { checked_at: now, missing_since: missingSince })
}

/** Returns false when more domains are due. */
async function checkDomains(services: Services): Promise<boolean> {
  const now = epochSeconds(services)
  const due = { before: now - daySeconds, now, limit: domainsPerRun }
  const domains = await listUncheckedDomains(services.db.reports, due)
  for (let from = 0; from < domains.length; from += queriesAtOnce) {
    const checks = domains.slice(from, from + queriesAtOnce).map(async (domain) => {
      const texts = await textsOf(services, domain.domain)
      await services.db.write((tx) => judgeDomain(tx, domain, texts, now))
    })
    await Promise.all(checks)
  }
  return domains.length < domainsPerRun
}

export const checkDomainsJob: JobHandler = {
  concurrency: 1,
  leaseSeconds: 600,
  maxAttempts: 3,
  everySeconds: 3600,
  run: async (services) => ((await checkDomains(services)) ? undefined : { nextAt: epochSeconds(services) }),
}
