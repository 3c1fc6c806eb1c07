import { randomUUID } from 'node:crypto'
import type { RecordedEvent } from '#contract/audit-events.ts'
import { reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { type AuditContext, recordAudit, type SignedInContext } from '#server/audit/audit.ts'
import { deviceOf, forgetDevicesUntilNow, rememberDevice } from '#server/auth/known-devices.ts'
import { updatePerson } from '#server/auth/people.ts'
import {
  deleteSession,
  deleteSessionByHandle,
  deleteSessionsOf,
  findSessionRow,
  insertSession,
  trimSessions,
} from '#server/auth/sessions.ts'
import type { Person } from '#server/auth/sign-in-tables.ts'
import type { CallContext } from '#server/http/endpoint.ts'
import { rejectDuringMaintenance } from '#server/settings/maintenance.ts'
import { newSessionToken, sessionHash } from '#server/secrets/session-token.ts'
import { mailAccount, mailNewSignIn } from './account-mails.ts'
import { accountKind, accountTables } from './account-kind.ts'
import {
  createAccount,
  type NewAccount,
  rememberLanguage,
  selectAppOfSession,
  setNewPassword,
  signInAgain,
} from './accounts.actions.ts'
import { listLiveSessions } from './accounts.identity.ts'
import type { Account } from './accounts.reads.ts'
import { accountsErrors } from './accounts.errors.ts'
import { rememberedSeconds, sessionExpiry } from './accounts.rules.ts'
import {
  finishLogin,
  finishVerification,
  type IdentityVerification,
  type VerificationContext,
  type VerifiedPassword,
  verificationOfNewAccount,
} from './identity-verification.actions.ts'
import { requireFreeNames } from './name-claims.actions.ts'
import type { SignInKind } from './sign-in-kinds.ts'
import { startPendingSignIn } from './two-factor.actions.ts'

const maxSessions = 50

const maxUserAgentLength = 300

/** A new owner, signed in immediately. */
export async function registerAccount(tx: Tx, context: VerificationContext, form: NewAccount): Promise<Account> {
  const { platform } = context.services.settings.latest
  await requireFreeNames(context.services, tx, form)
  const account = await createAccount(
    tx,
    { ...form, plan: platform.defaultPlan, language: context.caller.language },
    context.now,
  )
  await startSession(tx, context, verificationOfNewAccount(accountKind, account), false)
  await recordAs(tx, context, { kind: accountKind, person: account }, 'account.register')
  return account
}

/** Context for the actions of an account that the call did not authenticate. */
export const recordAs = (
  tx: Tx,
  context: AuditContext,
  { kind, person }: { kind: SignInKind; person: Person },
  act: RecordedEvent,
): Promise<void> => recordAudit(tx, { ...context, actor: kind.actorOf(person) }, { act, target: person.username })

/** In the transaction: signs in after a correct password, or returns the pending second factor. */
export async function logIn(tx: Tx, context: VerificationContext, proved: VerifiedPassword, rememberMe: boolean) {
  const { person, verification } = await finishLogin(tx, proved)
  if (verification) return { code: 'LOGIN_OK' as const, ...(await signIn(tx, context, verification, rememberMe)) }
  const { now } = context
  const pendingToken = await startPendingSignIn(tx, proved.kind, { personId: person.id, rememberMe, now })
  return { code: 'LOGIN_PASSWORD_OK' as const, twoFactorRequired: true as const, pendingToken }
}

/** Last step of every sign-in: replaces any session of the browser by a new one. */
export async function signIn(
  tx: Tx,
  context: VerificationContext,
  verification: IdentityVerification,
  rememberMe: boolean,
): Promise<ReturnType<SignInKind['reply']>> {
  const { kind } = verification
  if (!kind.worksDuringMaintenance(verification.person)) rejectDuringMaintenance(context.services)
  const person = await rememberLanguage(tx, kind.tables, verification.person, context.caller.language)
  await startSession(tx, context, verification, rememberMe)
  await recordAs(tx, context, { kind, person }, `${kind.name}.login`)
  if (deviceOf(context, person) === undefined) await mailNewSignIn(tx, context, kind, person)
  return kind.reply(person)
}

/** Starts a session. The browser gets its token after the commit; only a hash is stored. */
export async function startSession(
  tx: Tx,
  context: VerificationContext,
  { kind, person }: IdentityVerification,
  rememberMe: boolean,
): Promise<string> {
  const { services, caller, now } = context
  const { security } = services.settings.latest
  const cookie = kind.cookie(context.cookies)
  const token = newSessionToken()
  const idHash = sessionHash(token)
  if (cookie.token) await deleteSession(tx.db, kind.tables, sessionHash(cookie.token))
  await insertSession(tx.db, kind.tables, {
    id_hash: idHash,
    handle: randomUUID(),
    person_id: person.id,
    ip: caller.ip,
    user_agent: caller.userAgent.slice(0, maxUserAgentLength),
    remember_me: rememberMe ? 1 : 0,
    created_at: now,
    last_used_at: now,
    proved_at: now,
    expires_at: sessionExpiry({ createdAt: now, lastUsedAt: now, rememberMe }, security.sessionTimeout),
  })
  await trimSessions(tx.db, kind.tables, person.id, { keep: maxSessions, now })
  tx.afterCommit(() => {
    cookie.start(token, rememberMe ? rememberedSeconds : null)
    rememberDevice(context, person)
  })
  return idHash
}

interface NewPassword {
  proved: VerifiedPassword
  code: string | undefined
  passwordHash: string
}

/**
 * A new password ends all sessions and forgets all devices; the caller continues in a new session.
 */
export async function changePassword(
  tx: Tx,
  context: VerificationContext & SignedInContext,
  { proved, code, passwordHash }: NewPassword,
): Promise<void> {
  const { services, actor, now } = context
  const { tables, name, lock } = proved.kind
  // Another call may have ended this session, as a ban does, or changed the password during hashing.
  await lock(tx, proved.person.id)
  const session = (await findSessionRow(tx.db, tables, actor.sessionHash)) ?? signInAgain()
  const verification = await finishVerification(tx, context, proved, code)
  const { kind } = verification
  const person = await setNewPassword(tx, services, kind, { person: verification.person, passwordHash, now })
  const started = await startSession(tx, context, { ...verification, person }, session.remember_me === 1)
  if ('selectedAppId' in actor && actor.selectedAppId !== null)
    await selectAppOfSession(tx, started, actor.selectedAppId)
  await recordAudit(tx, context, { act: `${name}.change-password`, target: person.username })
  await mailAccount(tx, context, proved.kind, person, 'password-changed')
}

type SessionContext = VerificationContext & SignedInContext

/** Ends one of the caller's own sessions, possibly the current one. */
export async function endOwnSession(
  tx: Tx,
  context: SessionContext,
  { name, tables, cookie }: SignInKind,
  handle: string,
): Promise<void> {
  const { actor, cookies } = context
  const ended = await deleteSessionByHandle(tx.db, tables, actor.id, handle)
  if (ended === undefined) reject(accountsErrors, 'SESSION_NOT_FOUND')
  await recordAudit(tx, context, { act: `${name}.end-session`, target: handle })
  if (ended === actor.sessionHash) tx.afterCommit(() => cookie(cookies).end())
}

/** Ends all other sessions of the caller and forgets all other devices; returns the number of sessions. */
export async function endOtherSessions(
  tx: Tx,
  context: SessionContext,
  { name, tables, lock }: SignInKind,
): Promise<number> {
  const { services, actor, now } = context
  await lock(tx, actor.id)
  const live = await listLiveSessions(services, tx.db, tables, { personId: actor.id, now })
  const ended = live.filter((session) => session.id_hash !== actor.sessionHash).length
  await deleteSessionsOf(tx.db, tables, actor.id, actor.sessionHash)
  const change = { devices_since: forgetDevicesUntilNow(services) }
  await updatePerson(tx.db, tables, actor.id, change)
  tx.afterCommit(() => rememberDevice(context, { id: actor.id, ...change }))
  await recordAudit(tx, context, { act: `${name}.end-other-sessions`, target: actor.username, details: { ended } })
  return ended
}

/** Ends all sessions of the caller, including this one, and forgets all devices; returns the number of sessions. */
export async function endOwnSessions(tx: Tx, context: SessionContext): Promise<number> {
  const { services, actor, cookies, now } = context
  await accountKind.lock(tx, actor.id)
  const { length: ended } = await listLiveSessions(services, tx.db, accountTables, { personId: actor.id, now })
  await deleteSessionsOf(tx.db, accountTables, actor.id)
  await updatePerson(tx.db, accountTables, actor.id, { devices_since: forgetDevicesUntilNow(services) })
  await recordAudit(tx, context, { act: 'account.logout-all', target: actor.username, details: { ended } })
  tx.afterCommit(() => cookies.end())
  return ended
}

/** Ends the session of the browser, of the first kind whose cookie it has, even if that session has already ended. */
export async function signOut(
  tx: Tx,
  context: AuditContext & Pick<CallContext, 'cookies'>,
  kinds: readonly SignInKind[],
): Promise<void> {
  for (const kind of kinds) {
    const cookie = kind.cookie(context.cookies)
    if (!cookie.token) continue
    const id = await deleteSession(tx.db, kind.tables, sessionHash(cookie.token))
    const person = id === undefined ? undefined : await kind.find(tx.db, id)
    if (person) await recordAs(tx, context, { kind, person }, `${kind.name}.logout`)
    return tx.afterCommit(() => cookie.end())
  }
  tx.afterCommit(() => context.cookies.end())
}
