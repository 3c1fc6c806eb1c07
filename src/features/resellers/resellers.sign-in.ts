import type { FastifyRequest } from 'fastify'
import { reject, rejectProblem } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { rememberLanguage } from '#features/accounts/accounts.actions.ts'
import { prolongSession } from '#features/accounts/accounts.identity.ts'
import { nameKey } from '#features/accounts/accounts.reads.ts'
import { emailProblem, passwordProblem } from '#features/accounts/accounts.rules.ts'
import {
  passwordPolicy,
  type VerificationContext,
  verificationOfNewAccount,
  rejectEasyPassword,
} from '#features/accounts/identity-verification.actions.ts'
import { limitClaims, rejectTakenNames, requireFreeNames, undoClaim } from '#features/accounts/name-claims.actions.ts'
import { recordAs, startSession } from '#features/accounts/sign-in.actions.ts'
import { findOwnApp, findOwnAppByName } from '#features/apps/apps.reads.ts'
import type { Actor, AppScope, ResellerActor } from '#server/audit/actors.ts'
import { accountHashing } from '#server/passwords/hashing-use.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { CallContext } from '#server/http/endpoint.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { sessionHash } from '#server/secrets/session-token.ts'
import { rejectBanned, resellerKind, resellerTables } from './reseller-kind.ts'
import {
  findAssignment,
  findReseller,
  findResellerBySetup,
  findResellerSession,
  type Reseller,
} from './resellers.reads.ts'
import { resellersErrors } from './resellers.errors.ts'
import { lockResellerRow, noPendingEmail, updateReseller } from './resellers.writes.ts'

/** The reseller of a session token; null for a banned reseller and for resellers of a banned owner. */
export async function resellerOfToken(
  services: Services,
  request: FastifyRequest,
  token: string,
): Promise<ResellerActor | null> {
  const session = await findResellerSession(services.db.read, sessionHash(token))
  if (!session || session.banned === 1 || session.owner_banned === 1) return null
  const { reseller_id: id, owner_id: ownerId, username, language } = session
  if (!(await prolongSession(services, request, resellerTables, { session, person: { id, language } }))) return null
  return { type: 'reseller', id, ownerId, username, sessionHash: session.id_hash, verifiedAt: session.proved_at }
}

/** The app of a reseller's call, if it is assigned to the reseller. */
export async function appOfReseller(
  { db }: Services,
  actor: Actor,
  { id, name }: { id?: string; name?: string },
): Promise<AppScope | null> {
  if (actor.type !== 'reseller' || (id === undefined && name === undefined)) return null
  const { ownerId, id: resellerId } = actor
  const app =
    id === undefined ? await findOwnAppByName(db.read, ownerId, name as string) : await findOwnApp(db.read, ownerId, id)
  if (!app || !(await findAssignment(db.read, { appId: app.id, resellerId }))) return null
  return { id: app.id, ownerId, name: app.name }
}

/** Rejects setup links that have expired or been used or replaced. */
function requireSetup(reseller: Reseller | undefined, token: string, now: number): Reseller {
  const isCurrent = reseller?.setup_token_hash === sessionHash(token)
  if (!reseller || !isCurrent || (reseller.setup_expires_at ?? 0) <= now)
    return reject(resellersErrors, 'SETUP_LINK_INVALID')
  return reseller
}

/** The reseller that a setup link is for, and when the link expires. */
export async function describeSetup(
  services: Services,
  token: string,
): Promise<{ username: string; expiresAt: number }> {
  const found = await findResellerBySetup(services.db.read, sessionHash(token))
  const reseller = requireSetup(found, token, epochSeconds(services))
  await rejectBanned(services.db.read, reseller)
  return { username: reseller.username, expiresAt: reseller.setup_expires_at as number }
}

/** Validates the link and the form before the transaction, and counts the attempt. Returns the password hash. */
export async function checkSetup(
  context: Pick<CallContext, 'services' | 'caller'>,
  { token, email, password }: { token: string; email: string; password: string },
): Promise<string> {
  const { services, caller } = context
  const found = await findResellerBySetup(services.db.read, sessionHash(token))
  const reseller = requireSetup(found, token, epochSeconds(services))
  const { id, username } = reseller
  await rejectBanned(services.db.read, reseller)
  rejectProblem(resellersErrors, emailProblem(email), { field: 'email' })
  rejectProblem(resellersErrors, passwordProblem(password, await passwordPolicy(services)), { field: 'password' })
  await rejectEasyPassword(services, password, { username, email }, 'password')
  limitClaims(context, id)
  await rejectTakenNames(services, services.db.read, { email, exceptId: id }, 'email')
  return services.passwords.hash(password, accountHashing(networkOf(caller.ip)))
}

/** Uses the link, which works only once, and signs the reseller in. */
export async function setUpReseller(
  tx: Tx,
  context: VerificationContext,
  { token, email, passwordHash }: { token: string; email: string; passwordHash: string },
): Promise<Reseller> {
  const found = await findResellerBySetup(tx.db, sessionHash(token))
  const reseller = requireSetup(found && (await lockResellerRow(tx.db, found.id)), token, context.now)
  await rejectBanned(tx.db, reseller)
  const { id } = reseller
  await requireFreeNames(context.services, tx, { email, exceptId: id }, 'email')
  const used = { password_hash: passwordHash, setup_token_hash: null, setup_expires_at: null }
  // A pending email address was not chosen by the reseller, so setup discards it.
  await updateReseller(tx.db, id, { email: email.trim(), email_key: nameKey(email), ...noPendingEmail, ...used })
  undoClaim(tx, context, id)
  await rememberLanguage(tx, resellerTables, reseller, context.caller.language)
  const current = (await findReseller(tx.db, id)) as Reseller
  await startSession(tx, context, verificationOfNewAccount(resellerKind, current), false)
  await recordAs(tx, context, { kind: resellerKind, person: current }, 'reseller.set-up')
  return current
}
