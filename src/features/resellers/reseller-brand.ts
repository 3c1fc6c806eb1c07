import { hasInvisible } from '#contract/visible-text.ts'
import type { Reader } from '#database/database.ts'
import { findRedeemedLicense } from '#features/licenses/licenses.reads.ts'
import { hasPlanFeature } from '#features/plans/plans.reads.ts'
import type { MailPlatform } from '#server/mail/mail-text.ts'
import { findProvedDomainOf, type ProvedDomain } from './resellers.reads.ts'

/** Where a reseller's own brand stands in place of the platform's. */

/** The domain as long as it wears its brand: not of a banned reseller, and with a plan that includes it. */
export async function brandedDomain(
  db: Reader,
  domain: ProvedDomain | undefined,
  now: number,
): Promise<ProvedDomain | undefined> {
  if (domain?.banned !== 0) return undefined
  return (await hasPlanFeature(db, domain.owner_id, 'custom_branding', now)) ? domain : undefined
}

/** A company's name as a mail's sender and subject may have it: without a word that a mail program turns into a link. */
const plainName = /^(?:[\p{L}\p{M}\p{N} _&',!()+-]|\.(?![\p{L}\p{N}])){1,64}$/u

const mailName = ({ company_name: name, domain }: ProvedDomain): string =>
  plainName.test(name) && !hasInvisible(name) ? name : domain

/** What mails to a reseller, or to its customers, name and link to; undefined is the platform. */
export async function resellerMailBrand(
  db: Reader,
  resellerId: string,
  now: number,
): Promise<MailPlatform | undefined> {
  const found = await brandedDomain(db, await findProvedDomainOf(db, resellerId), now)
  return found && { name: mailName(found), url: `https://${found.domain}` }
}

/** A customer is the reseller's whose license was redeemed last. */
export async function customerMailBrand(
  db: Reader,
  user: { appId: string; userId: number },
  now: number,
): Promise<MailPlatform | undefined> {
  const license = await findRedeemedLicense(db, user)
  return license && license.reseller_id !== null ? resellerMailBrand(db, license.reseller_id, now) : undefined
}
