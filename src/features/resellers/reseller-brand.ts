import { hasInvisible } from '#contract/visible-text.ts'
import type { Reader } from '#database/database.ts'
import { findRedeemedLicense } from '#features/licenses/licenses.reads.ts'
import { hasPlanFeature } from '#features/plans/plans.reads.ts'
import type { MailPlatform } from '#server/mail/mail-text.ts'
import { findVerifiedDomainOf, type VerifiedDomain } from './resellers.reads.ts'

/** Decides where a reseller's brand replaces the platform's. */

/** The domain if its branding applies: the reseller is not banned, and the owner's plan includes custom branding. */
export async function brandedDomain(
  db: Reader,
  domain: VerifiedDomain | undefined,
  now: number,
): Promise<VerifiedDomain | undefined> {
  if (domain?.banned !== 0) return undefined
  return (await hasPlanFeature(db, domain.owner_id, 'custom_branding', now)) ? domain : undefined
}

/** Company names allowed in the sender and subject of email: nothing that an email client turns into a link. */
const plainName = /^(?:[\p{L}\p{M}\p{N} _&',!()+-]|\.(?![\p{L}\p{N}])){1,64}$/u

const mailName = ({ company_name: name, domain }: VerifiedDomain): string =>
  plainName.test(name) && !hasInvisible(name) ? name : domain

/** Name and link target for email to a reseller or its customers; undefined means the platform's own. */
export async function resellerMailBrand(
  db: Reader,
  resellerId: string,
  now: number,
): Promise<MailPlatform | undefined> {
  const found = await brandedDomain(db, await findVerifiedDomainOf(db, resellerId), now)
  return found && { name: mailName(found), url: `https://${found.domain}` }
}

/** A customer belongs to the reseller of the last redeemed license. */
export async function customerMailBrand(
  db: Reader,
  user: { appId: string; userId: number },
  now: number,
): Promise<MailPlatform | undefined> {
  const license = await findRedeemedLicense(db, user)
  return license && license.reseller_id !== null ? resellerMailBrand(db, license.reseller_id, now) : undefined
}
