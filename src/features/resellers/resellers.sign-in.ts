import type { FastifyRequest } from 'fastify'
import type { AuditEvent } from '#contract/audit-events.ts'
import { acceptedLanguage, type Language } from '#contract/language.ts'
import { refuse, refuseProblem } from '#contract/refusals.ts'
import type { Reader, Tx } from '#database/database.ts'
import { databaseIsUnavailable } from '#database/unavailable.ts'
import { mailNewSignIn } from '#features/accounts/account-mails.ts'
import { isAccountBanned, nameKey } from '#features/accounts/accounts.reads.ts'
import { accountsRefusals } from '#features/accounts/accounts.refusals.ts'
import {
  emailProblem,
  passwordProblem,
  rememberedSeconds,
  sessionExpiry,
  shouldRecordUse,
} from '#features/accounts/accounts.rules.ts'
import { refuseDuringMaintenance } from '#server/maintenance.ts'
import {
  passwordPolicy,
  type ProofContext,
  refuseEasyPassword,
  refuseSignInDuringMaintenance,
} from '#features/accounts/identity-proof.actions.ts'
import { rememberDevice } from '#features/accounts/known-devices.ts'
import { claimNames, undoClaim } from '#features/accounts/name-claims.actions.ts'
import type { OtherSignIn, Person } from '#features/accounts/other-sign-ins.ts'
import { findOwnApp, findOwnAppByName } from '#features/apps/apps.reads.ts'
import type { Actor, AppScope, ResellerActor } from '#server/http/actors.ts'
import { type AuditContext, recordAudit } from '#server/audit.ts'
import { knownDevice } from '#server/auth/device-cookies.ts'
import { beginAttempt, endAttempt } from '#server/auth/login-throttle.ts'
import { accountCost } from '#server/auth/passwords.ts'
import { networkOf } from '#server/rate-limits.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { newSessionToken, sessionHash } from '#server/http/session-cookies.ts'
import {
  findAssignment,
  findReseller,
  findResellerByEmail,
  findResellerByLogin,
  findResellerBySetup,
  findResellerSession,
  type Reseller,
} from './resellers.reads.ts'
import { resellersRefusals } from './resellers.refusals.ts'
import {
  deleteResellerSession,
  deleteSessionsOfReseller,
  insertResellerSession,
  lockResellerRow,
  noPendingEmail,
  replaceResellerHash,
  updateReseller,
  updateResellerSessionUse,
} from './resellers.writes.ts'

const maxUserAgentLength = 300

/** Whose session a token opens; a banned reseller, or one of a banned owner, has none (R-AUTH-14). */
export async function resellerOfToken(
  services: Services,
  request: FastifyRequest,
  token: string,
): Promise<ResellerActor | null> {
  const now = epochSeconds(services)
  const session = await findResellerSession(services.db.read, sessionHash(token))
  if (!session || session.banned === 1 || session.owner_banned === 1 || session.expires_at <= now) return null
  if (shouldRecordUse(session.last_used_at, now)) {
    const expiresAt = await expiryOf(services, {
      createdAt: session.created_at,
      lastUsedAt: now,
      rememberMe: session.remember_me === 1,
    })
    // As of an account: what only reads goes on while nothing can be written.
    await services.db
      .write(async (tx) => {
        await updateResellerSessionUse(tx.db, session.id_hash, { now, expiresAt })
        const reseller = { id: session.reseller_id, language: session.language }
        await rememberLanguage(tx, reseller, acceptedLanguage(request.headers['accept-language']))
      })
      .catch((error: unknown) => {
        if (!databaseIsUnavailable(error)) throw error
      })
  }
  const { reseller_id: id, owner_id: ownerId, username } = session
  return { type: 'reseller', id, ownerId, username, sessionHash: session.id_hash }
}

/** The app that a reseller's call acts on, as long as it is assigned (R-TEN-06). */
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

async function expiryOf(services: Services, session: Parameters<typeof sessionExpiry>[0]): Promise<number> {
  const { security } = await services.settings.current()
  return sessionExpiry(session, security.sessionTimeout)
}

/** A reseller as `check-auth` gives whoever is signed in. */
export const resellerAccountReply = (reseller: Reseller) => ({
  id: reseller.id,
  ownerid: reseller.owner_id,
  username: reseller.username,
  email: reseller.email ?? '',
  displayName: reseller.username,
  role: 'reseller' as const,
  createdAt: reseller.created_at,
  timeZone: null,
})

export const signedInReseller = (reseller: Reseller) => ({
  user: resellerAccountReply(reseller),
  userType: 'reseller' as const,
})

/** A fresh session in place of the one that the browser had (R-SES-03). */
async function startSession(tx: Tx, context: ProofContext, reseller: Reseller, rememberMe: boolean): Promise<void> {
  const { services, caller, now, cookies } = context
  const token = newSessionToken()
  if (cookies.reseller.token) await deleteResellerSession(tx.db, sessionHash(cookies.reseller.token))
  await insertResellerSession(tx.db, {
    id_hash: sessionHash(token),
    reseller_id: reseller.id,
    ip: caller.ip,
    user_agent: caller.userAgent.slice(0, maxUserAgentLength),
    remember_me: rememberMe ? 1 : 0,
    created_at: now,
    last_used_at: now,
    expires_at: await expiryOf(services, { createdAt: now, lastUsedAt: now, rememberMe }),
  })
  await rememberLanguage(tx, reseller, caller.language)
  tx.afterCommit(() => {
    cookies.reseller.start(token, rememberMe ? rememberedSeconds : null)
    rememberDevice(context, reseller.id)
  })
}

/** As of an account: the language that the browser had last, if it is one of ours. */
async function rememberLanguage(
  tx: Tx,
  { id, language: before }: Pick<Reseller, 'id' | 'language'>,
  language: Language | undefined,
): Promise<void> {
  if (language !== undefined && language !== before) await updateReseller(tx.db, id, { language })
}

/** A sign-in on a device that had not signed in before is mailed, as that of an owner is (R-AUTH-12). */
async function mailNewDevice(tx: Tx, context: ProofContext, reseller: Reseller): Promise<void> {
  const { services, cookies, caller, now } = context
  const { id: accountId, username, email, devices_since: since } = reseller
  if (email === null || knownDevice(services.masterKey, cookies.device, { accountId, since, now }) !== undefined) return
  const language = caller.language ?? reseller.language
  await mailNewSignIn(tx, context, { username, email, language, timeZone: null, page: 'login' })
}

/** Written by nobody who is signed in yet: the reseller is who acts, on behalf of the owner. */
export const recordOwn = (
  tx: Tx,
  context: AuditContext,
  { id, owner_id, username }: Reseller,
  act: AuditEvent,
): Promise<void> => {
  const actor = { type: 'reseller' as const, id, ownerId: owner_id, username, sessionHash: '' }
  return recordAudit(tx, { ...context, actor }, { act, target: username })
}

/** With a banned owner nobody sells (R-AUTH-14); so with one who is gone. */
export async function refuseBanned(db: Reader, reseller: Reseller): Promise<void> {
  if (reseller.banned === 1 || (await isAccountBanned(db, reseller.owner_id)))
    refuse(accountsRefusals, 'ACCOUNT_BANNED')
}

type SignIn = (tx: Tx, rememberMe: boolean) => Promise<ReturnType<typeof signedInReseller>>

/** Who doesn't exist and who has another password look and last the same (R-AUTH-04). */
export async function proveReseller(
  context: ProofContext,
  { login, password }: { login: string; password: string },
): Promise<SignIn> {
  const { services, caller, now } = context
  const { db, passwords } = services
  const found = await findResellerByLogin(db.read, login)
  const account = found ? `reseller ${found.id}` : `name ${nameKey(login)}`
  const attempt = { realm: 'dashboard', account, network: networkOf(caller.ip), device: undefined }
  await beginAttempt(services, attempt, now)
  const hash = await passwords.verifyAndRenew(password, found?.password_hash, {
    cost: accountCost,
    replace: (renewed) => db.write(async (tx) => found !== undefined && replaceResellerHash(tx.db, found, renewed)),
    read: async () => found && (await findReseller(db.read, found.id))?.password_hash,
  })
  if (!found || hash === undefined) {
    if (found) await db.write((tx) => recordOwn(tx, context, found, 'reseller.login-failed'))
    return refuse(accountsRefusals, 'LOGIN_FAILED')
  }
  await refuseBanned(db.read, found)
  await refuseSignInDuringMaintenance(services, attempt)
  return async (tx, rememberMe) => {
    // Read again: a ban, deletion or new password may have come while the password was being checked.
    const current = await lockResellerRow(tx.db, found.id)
    if (!current || current.password_hash !== hash) refuse(accountsRefusals, 'LOGIN_FAILED')
    await refuseBanned(tx.db, current)
    refuseDuringMaintenance(services)
    await endAttempt(tx, attempt)
    await startSession(tx, context, current, rememberMe)
    await recordOwn(tx, context, current, 'reseller.login')
    await mailNewDevice(tx, context, current)
    return signedInReseller(current)
  }
}

/** A set-up link that ran out, was used or replaced is none. */
function requireSetup(reseller: Reseller | undefined, token: string, now: number): Reseller {
  const isCurrent = reseller?.setup_token_hash === sessionHash(token)
  if (!reseller || !isCurrent || (reseller.setup_expires_at ?? 0) <= now)
    return refuse(resellersRefusals, 'SETUP_LINK_INVALID')
  return reseller
}

/** Whose account the link sets up, and until when. */
export async function describeSetup(
  services: Services,
  token: string,
): Promise<{ username: string; expiresAt: number }> {
  const found = await findResellerBySetup(services.db.read, sessionHash(token))
  const reseller = requireSetup(found, token, epochSeconds(services))
  await refuseBanned(services.db.read, reseller)
  return { username: reseller.username, expiresAt: reseller.setup_expires_at as number }
}

/** Before the transaction: the link counts, and the form is in order. Gives the password's hash. */
export async function checkSetup(
  services: Services,
  { token, email, password }: { token: string; email: string; password: string },
): Promise<string> {
  const found = await findResellerBySetup(services.db.read, sessionHash(token))
  const { username } = requireSetup(found, token, epochSeconds(services))
  refuseProblem(resellersRefusals, emailProblem(email), { field: 'email' })
  refuseProblem(resellersRefusals, passwordProblem(password, await passwordPolicy(services)), { field: 'password' })
  await refuseEasyPassword(services, password, { username, email }, 'password')
  return services.passwords.hash(password, accountCost)
}

/** Uses the link, which one call only can, and signs the reseller in. */
export async function setUpReseller(
  tx: Tx,
  context: ProofContext,
  { token, email, passwordHash }: { token: string; email: string; passwordHash: string },
): Promise<Reseller> {
  const found = await findResellerBySetup(tx.db, sessionHash(token))
  const reseller = requireSetup(found && (await lockResellerRow(tx.db, found.id)), token, context.now)
  await refuseBanned(tx.db, reseller)
  const { id } = reseller
  await claimNames(tx, context, { email, exceptId: id, accountId: id, field: 'email' })
  const used = { password_hash: passwordHash, setup_token_hash: null, setup_expires_at: null }
  // An address that waits for its link is not the reseller's choice.
  await updateReseller(tx.db, id, { email: email.trim(), email_key: nameKey(email), ...noPendingEmail, ...used })
  undoClaim(tx, context, id)
  const current = (await findReseller(tx.db, id)) as Reseller
  await startSession(tx, context, current, false)
  await recordOwn(tx, context, current, 'reseller.set-up')
  return current
}

/** Ends the reseller's session that the browser has; false when it has none. */
async function signOutReseller(tx: Tx, context: ProofContext): Promise<boolean> {
  const { cookies } = context
  const { token } = cookies.reseller
  const id = token ? await deleteResellerSession(tx.db, sessionHash(token)) : undefined
  const reseller = id === undefined ? undefined : await findReseller(tx.db, id)
  if (!reseller) return false
  await recordOwn(tx, context, reseller, 'reseller.logout')
  tx.afterCommit(() => cookies.reseller.end())
  return true
}

/** As far as a link for a new password may be sent there; with a banned owner nobody gets one (R-AUTH-14). */
async function personOf(db: Reader, reseller: Reseller | undefined): Promise<Person | undefined> {
  if (!reseller || reseller.email === null || reseller.password_hash === null || reseller.banned === 1) return undefined
  if (await isAccountBanned(db, reseller.owner_id)) return undefined
  const { id, username, email, language, owner_id: ownerId } = reseller
  return { id, username, email, language, ownerId }
}

async function setPassword(tx: Tx, context: AuditContext, id: string, passwordHash: string): Promise<void> {
  const reseller = await findReseller(tx.db, id)
  if (!reseller) return
  await updateReseller(tx.db, id, { password_hash: passwordHash, devices_since: context.now })
  await deleteSessionsOfReseller(tx.db, id)
  await recordOwn(tx, context, reseller, 'reseller.reset-password')
}

export const resellerSignIn: OtherSignIn = {
  findByEmail: async (db, email) => personOf(db, await findResellerByEmail(db, email)),
  findById: async (db, id) => personOf(db, await findReseller(db, id)),
  lock: async (tx, id) => personOf(tx.db, await lockResellerRow(tx.db, id)),
  setPassword,
  isTaken: async (db, login, exceptId) => {
    const found = await findResellerByLogin(db, login)
    return found !== undefined && found.id !== exceptId
  },
  prove: proveReseller,
  signOut: signOutReseller,
}
