import { reject, rejectProblem } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { mailAccount } from '#features/accounts/account-mails.ts'
import { lockAccount, signInAgain } from '#features/accounts/accounts.actions.ts'
import { nameKey } from '#features/accounts/accounts.reads.ts'
import { emailProblem } from '#features/accounts/accounts.rules.ts'
import { claimNames, requireFreeNames } from '#features/accounts/name-claims.actions.ts'
import { recordAs } from '#features/accounts/sign-in.actions.ts'
import { type AccountContext, type AuditContext, recordAudit } from '#server/audit/audit.ts'
import { changesOf } from '#server/audit/changes.ts'
import type { CallContext } from '#server/http/endpoint.ts'
import { requireRecentVerification } from '#server/http/guard.ts'
import { mailIsOn, queueMail } from '#server/mail/mail.ts'
import { endResets } from '#server/auth/reset-tokens.ts'
import type { Services } from '#server/services.ts'
import { newSessionToken, sessionHash } from '#server/secrets/session-token.ts'
import { resellerMailBrand } from './reseller-brand.ts'
import { rejectBanned, resellerKind } from './reseller-kind.ts'
import { banReseller, getReseller, lockReseller } from './resellers.actions.ts'
import { findReseller, findResellerByPendingEmail, type Reseller } from './resellers.reads.ts'
import { resellersErrors } from './resellers.errors.ts'
import { emailLinkHours } from './resellers.rules.ts'
import { lockResellerRow, noPendingEmail, updateReseller } from './resellers.writes.ts'

/** Email changes of a reseller. An address allows sign-in and password resets, so a link must confirm it first. */

type OwnerContext = AccountContext & Pick<CallContext, 'services'>

interface ResellerChange {
  id: string
  email?: string | undefined
  banned?: boolean | undefined
}

/** As for accounts, changing the email address requires a recent sign-in. */
export async function changeReseller(
  tx: Tx,
  context: OwnerContext,
  { id, email, banned }: ResellerChange,
): Promise<Reseller> {
  // The owner may have been banned meanwhile.
  const owner = await lockAccount(tx, context.actor.id)
  if (!owner || owner.banned === 1) return signInAgain()
  const reseller = await lockReseller(tx, owner.id, id)
  if (email !== undefined) await changeEmail(tx, context, reseller, email)
  if (banned !== undefined && banned !== (reseller.banned === 1)) await banReseller(tx, context, { id, banned })
  return getReseller(tx.db, context.actor.id, id)
}

async function changeEmail(tx: Tx, context: OwnerContext, reseller: Reseller, text: string): Promise<void> {
  const { services, actor, now } = context
  rejectProblem(resellersErrors, emailProblem(text), { field: 'email' })
  const email = text.trim()
  const { id, username: target } = reseller
  if (email === reseller.email) return cancelEmail(tx, context, reseller)
  requireRecentVerification(services, actor)
  await claimNames(tx, context, { email, exceptId: id, accountId: actor.id, field: 'email' })
  if (mailIsOn(services)) {
    await mailLink(tx, services, { reseller, email, now })
    return recordAudit(tx, context, { act: 'reseller.request-email', target })
  }
  await storeEmail(tx, reseller, email, now)
  await recordAudit(tx, context, {
    act: 'reseller.update',
    target,
    details: { email: true, confirmed: false },
    changes: changesOf({ email: reseller.email }, { email }, { hidden: ['email'] }),
  })
}

/** Entering the current address cancels the pending one. */
async function cancelEmail(tx: Tx, context: OwnerContext, reseller: Reseller): Promise<void> {
  if (reseller.pending_email === null) return
  await updateReseller(tx.db, reseller.id, noPendingEmail)
  await recordAudit(tx, context, { act: 'reseller.cancel-email', target: reseller.username })
}

/** Sends a confirmation link to the new address, which replaces the previous link, and a notice to the old address. */
async function mailLink(
  tx: Tx,
  services: Services,
  { reseller, email, now }: { reseller: Reseller; email: string; now: number },
): Promise<void> {
  const { id, username, language } = reseller
  const token = newSessionToken()
  const expiresAt = now + emailLinkHours * 3600
  await updateReseller(tx.db, id, {
    pending_email: email,
    pending_email_token_hash: sessionHash(token),
    pending_email_expires_at: expiresAt,
  })
  const brand = await resellerMailBrand(tx.db, id, now)
  const link = `${brand?.url ?? services.config.publicUrl}/reseller/confirm-email#${token}`
  const values = { username, link, hours: emailLinkHours }
  const mail = { to: email, language, code: 'confirm-email' as const, values, brand, usefulUntil: expiresAt }
  await queueMail(tx, services, mail, now)
  await mailAccount(tx, { services, now }, resellerKind, reseller, 'email-change-requested')
}

/** Needs the reseller's row lock and a claimed address. Invalidates reset links sent to the old address. */
export async function storeEmail(tx: Tx, { id }: Pick<Reseller, 'id'>, email: string, now: number): Promise<void> {
  await updateReseller(tx.db, id, { email: email.trim(), email_key: nameKey(email), ...noPendingEmail })
  await endResets(tx, [{ kind: 'reseller', id }], now)
}

/** Uses the link, which works only once. Does not sign in. */
export async function confirmEmail(
  tx: Tx,
  context: AuditContext & { services: Services },
  token: string,
): Promise<Reseller> {
  const { services, now } = context
  const hash = sessionHash(token)
  const found = await findResellerByPendingEmail(tx.db, hash)
  const reseller = found && (await lockResellerRow(tx.db, found.id))
  const isCurrent = reseller?.pending_email_token_hash === hash && (reseller.pending_email_expires_at ?? 0) > now
  if (!reseller || !isCurrent) return reject(resellersErrors, 'EMAIL_LINK_INVALID')
  await rejectBanned(tx.db, reseller)
  const { id, pending_email: email } = reseller
  // Another account may have taken the address since the link was sent.
  await requireFreeNames(services, tx, { email: email as string, exceptId: id }, 'email')
  await storeEmail(tx, reseller, email as string, now)
  await recordAs(tx, context, { kind: resellerKind, person: reseller }, 'reseller.confirm-email')
  await mailAccount(tx, context, resellerKind, reseller, 'email-changed')
  return (await findReseller(tx.db, id)) as Reseller
}
