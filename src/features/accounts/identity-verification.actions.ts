import { reject, rejectProblem } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { deviceOf } from '#server/auth/known-devices.ts'
import { replacePasswordHash } from '#server/auth/people.ts'
import { deletePending } from '#server/auth/second-factors.ts'
import { updateSession } from '#server/auth/sessions.ts'
import type { PendingSignIn, Person } from '#server/auth/sign-in-tables.ts'
import { type AuditContext, recordAudit, type SignedInContext } from '#server/audit/audit.ts'
import type { CallContext } from '#server/http/endpoint.ts'
import { type Attempt, beginAttempt, endAttempt, orUndoAttempt } from '#server/auth/login-throttle.ts'
import { isUnderMaintenance, rejectDuringMaintenance } from '#server/settings/maintenance.ts'
import { accountHashing } from '#server/passwords/hashing-use.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { Services } from '#server/services.ts'
import { accountKind } from './account-kind.ts'
import { signInAgain } from './accounts.actions.ts'
import { nameKey } from './accounts.reads.ts'
import { accountsErrors } from './accounts.errors.ts'
import { newPasswordProblem, type PasswordPolicy } from './accounts.rules.ts'
import { isEasyToGuess } from './common-passwords.ts'
import { findByLogin, type SignInKind } from './sign-in-kinds.ts'
import {
  beginCodeAttempt,
  hasSecondFactor,
  isRightCode,
  orUndoCodeAttempt,
  takeSecondFactor,
} from './two-factor.actions.ts'

/** The account to authenticate and the origin of the request, for a sign-in or a signed-in call. */
export type VerificationContext = AuditContext & Pick<CallContext, 'actor' | 'services' | 'caller' | 'cookies'>

declare const proved: unique symbol

/**
 * The caller has just authenticated completely: with the password and, if it is on, the second factor. It is
 * required to start sessions and for sensitive calls, and only this file creates one.
 */
export interface IdentityVerification<P extends Person = Person> {
  readonly kind: SignInKind<P>
  readonly person: P
  readonly [proved]: true
}

const verificationOf = <P extends Person>(kind: SignInKind<P>, person: P): IdentityVerification<P> =>
  ({ kind, person }) as IdentityVerification<P>

/** The creator of an account, and the recipient who sets one up, own it. */
export const verificationOfNewAccount = verificationOf

/** A password verified before the transaction; consumed by `finishVerification`. */
export interface VerifiedPassword<P extends Person = Person> {
  kind: SignInKind<P>
  person: P
  attempt: Attempt
}

type VerificationFailure = 'password' | 'code' | 'banned'

/**
 * Recorded in a transaction of its own, because the rejected one is rolled back. Never contains the input.
 */
async function recordFailure(
  context: VerificationContext,
  kind: SignInKind,
  person: Person | undefined,
  reason: VerificationFailure,
): Promise<void> {
  const { services, actor, caller } = context
  const act = actor.type === 'anyone' ? (`${kind.name}.login-failed` as const) : (`${kind.name}.proof-failed` as const)
  const details = { reason, userAgent: caller.userAgent.slice(0, 300) }
  const ownerId = person ? kind.ownerIdOf(person) : ''
  await services.db.write((tx) => recordAudit(tx, context, { act, target: person?.username ?? '', details, ownerId }))
}

/** The realm of failed sign-ins to the dashboard, of all areas. */
export const dashboardRealm = 'dashboard'

interface Claim<P extends Person> {
  person: P | undefined
  login: string
  password: string
  /** The account whose attempts are counted; defaults to `person`. */
  counted?: Person | undefined
}

/** Counts the attempt and verifies the password; undefined if it is wrong or the account does not exist. */
async function verifyPassword<P extends Person>(
  context: VerificationContext,
  kind: SignInKind<P>,
  { person, login, password, counted = person }: Claim<P>,
): Promise<VerifiedPassword<P> | undefined> {
  const attempt = {
    realm: dashboardRealm,
    account: counted ? `id ${counted.id}` : `name ${nameKey(login)}`,
    network: networkOf(context.caller.ip),
    device: person && deviceOf(context, person),
  }
  await beginAttempt(context.services, attempt, context.now)
  const current = await orUndoAttempt(context.services.db, attempt, () =>
    personOfPassword(context, kind, person, password),
  )
  return current && { kind, person: current, attempt }
}

/** The account if the password matches, with the stored hash. */
async function personOfPassword<P extends Person>(
  { services: { passwords, db }, caller }: VerificationContext,
  { tables, find }: SignInKind<P>,
  person: P | undefined,
  password: string,
): Promise<P | undefined> {
  const hash = await passwords.verifyAndRenew(password, person?.password_hash, {
    use: accountHashing(networkOf(caller.ip)),
    replace: (renewed) =>
      db.write(async (tx) => person !== undefined && replacePasswordHash(tx.db, tables, person, renewed)),
    read: async () => person && (await find(db.read, person.id))?.password_hash,
  })
  return person && hash !== undefined ? { ...person, password_hash: hash } : undefined
}

/**
 * First step of signing in; with `only`, accounts of other kinds are unknown. Unknown accounts and wrong passwords get
 * the same reply in the same time. An attempt counts for the account of any kind that has the name: otherwise, two calls
 * for different kinds would tell which names exist.
 */
export async function verifyLogin(
  context: VerificationContext,
  { login, password }: { login: string; password: string },
  only?: SignInKind,
): Promise<VerifiedPassword> {
  const { services } = context
  const { db } = services
  const named = await findByLogin(services, db.read, login)
  const kind = only ?? named?.kind ?? accountKind
  const found = named?.kind.name === kind.name ? named.person : undefined
  const started = await verifyPassword(context, kind, { person: found, counted: named?.person, login, password })
  if (!started) {
    await recordFailure(context, kind, found, 'password')
    return reject(accountsErrors, 'LOGIN_FAILED')
  }
  const { person, attempt } = started
  if (await kind.isBanned(db.read, person)) {
    await recordFailure(context, kind, person, 'banned')
    reject(accountsErrors, 'ACCOUNT_BANNED')
  }
  if (!kind.worksDuringMaintenance(person)) await rejectSignInDuringMaintenance(context.services, attempt)
  return started
}

/** During maintenance, only administrators may sign in. The password was correct, so this is not a failed attempt. */
async function rejectSignInDuringMaintenance(services: Services, attempt: Attempt): Promise<void> {
  if (!isUnderMaintenance(services)) return
  await services.db.write((tx) => endAttempt(tx, attempt))
  rejectDuringMaintenance(services)
}

/** In the transaction: the account, with the verification if it has no second factor. */
export async function finishLogin<P extends Person>(
  tx: Tx,
  { kind, person, attempt }: VerifiedPassword<P>,
): Promise<{ person: P; verification: IdentityVerification<P> | undefined }> {
  // Read again: the account may have been banned, deleted or changed while the password was verified.
  const current = await kind.lock(tx, person.id)
  if (!current || current.password_hash !== person.password_hash) reject(accountsErrors, 'LOGIN_FAILED')
  if (await kind.isBanned(tx.db, current)) reject(accountsErrors, 'ACCOUNT_BANNED')
  await endAttempt(tx, attempt)
  return { person: current, verification: hasSecondFactor(current) ? undefined : verificationOf(kind, current) }
}

/** Counts the attempt and verifies the code of a pending sign-in; consumed by `finishPendingSignIn`. */
export async function verifyCode<P extends Person>(
  context: VerificationContext,
  kind: SignInKind<P>,
  { id, code }: { id: string; code: string },
): Promise<void> {
  const { services } = context
  const person = await kind.find(services.db.read, id)
  if (!person) reject(accountsErrors, 'SIGN_IN_ENDED')
  if (!kind.worksDuringMaintenance(person)) rejectDuringMaintenance(services)
  await beginCodeAttempt(context, person, code)
  if (await isRightCode(services, kind, { person, code, now: context.now })) return
  await recordFailure(context, kind, person, 'code')
  reject(accountsErrors, 'TWO_FACTOR_CODE_WRONG')
}

/** Consumes the code of a pending sign-in; only one call succeeds. */
export async function finishPendingSignIn<P extends Person>(
  tx: Tx,
  context: VerificationContext,
  kind: SignInKind<P>,
  { pending, code }: { pending: PendingSignIn; code: string },
): Promise<IdentityVerification<P>> {
  const person = await kind.lock(tx, pending.person_id)
  if (!person || !(await deletePending(tx.db, kind.tables, pending.token_hash))) reject(accountsErrors, 'SIGN_IN_ENDED')
  if (await kind.isBanned(tx.db, person)) reject(accountsErrors, 'ACCOUNT_BANNED')
  await takeSecondFactor(tx, context, kind, { person, code })
  return verificationOf(kind, person)
}

/** The account of the caller, or `SESSION_REQUIRED`. */
export const getCaller = async <P extends Person>(
  { services, actor }: VerificationContext & SignedInContext,
  { find }: SignInKind<P>,
): Promise<P> => (await find(services.db.read, actor.id)) ?? signInAgain()

interface Credentials {
  password: string
  code?: string | undefined
}

/** For a signed-in caller: counts the attempt and verifies the password and, if it is on, the code. */
export async function verifyIdentity<P extends Person>(
  context: VerificationContext & SignedInContext,
  kind: SignInKind<P>,
  { password, code }: Credentials,
): Promise<VerifiedPassword<P>> {
  const { services } = context
  const person = await getCaller(context, kind)
  const started = await verifyPassword(context, kind, { person, login: person.username, password })
  if (!started) {
    await recordFailure(context, kind, person, 'password')
    return reject(accountsErrors, 'PASSWORD_WRONG')
  }
  if (!hasSecondFactor(person)) return started
  if (!code) {
    await services.db.write((tx) => endAttempt(tx, started.attempt))
    return reject(accountsErrors, 'TWO_FACTOR_CODE_REQUIRED')
  }
  // The password was right, so a wrong code is no failure of it.
  await orUndoAttempt(services.db, started.attempt, () => verifyCode(context, kind, { id: person.id, code }))
  return started
}

/** Like `orUndoAttempt`, after `verifyIdentity`: takes back the attempt at the code too. */
export const orUndoVerification = <T>(
  context: VerificationContext,
  { person, attempt }: VerifiedPassword,
  code: string | undefined,
  work: () => Promise<T>,
): Promise<T> =>
  orUndoAttempt(context.services.db, attempt, () =>
    hasSecondFactor(person) && code ? orUndoCodeAttempt(context, { person, code }, work) : work(),
  )

/** In the transaction: checks that the verified password is still current, and consumes the code. */
export async function finishVerification<P extends Person>(
  tx: Tx,
  context: VerificationContext,
  { kind, person, attempt }: VerifiedPassword<P>,
  code: string | undefined,
): Promise<IdentityVerification<P>> {
  const current = (await kind.lock(tx, person.id)) ?? signInAgain()
  if (current.password_hash !== person.password_hash) reject(accountsErrors, 'PASSWORD_WRONG')
  await endAttempt(tx, attempt)
  if (hasSecondFactor(current)) await takeSecondFactor(tx, context, kind, { person: current, code: code ?? '' })
  return verificationOf(kind, current)
}

/** Renews the password confirmation of the session, for calls that require it. */
export async function reauthenticate(
  tx: Tx,
  context: VerificationContext & SignedInContext,
  started: VerifiedPassword,
  code: string | undefined,
): Promise<void> {
  const { kind, person } = await finishVerification(tx, context, started, code)
  await updateSession(tx.db, kind.tables, context.actor.sessionHash, { proved_at: context.now })
  await recordAudit(tx, context, { act: `${kind.name}.reauthenticate`, target: person.username })
}

/**
 * For calls that change a second factor. Also available while the platform does not offer two-factor authentication, so
 * that existing ones can be managed and turned off.
 */
export async function verifySecondFactor<P extends Person>(
  context: VerificationContext & SignedInContext,
  kind: SignInKind<P>,
  credentials: Credentials & { code: string },
): Promise<VerifiedPassword<P>> {
  if (!hasSecondFactor(await getCaller(context, kind))) reject(accountsErrors, 'TWO_FACTOR_OFF')
  return verifyIdentity(context, kind, credentials)
}

/** In the transaction: like `finishVerification`, and requires that the second factor is still on. */
export async function finishSecondFactorVerification<P extends Person>(
  tx: Tx,
  context: VerificationContext,
  started: VerifiedPassword<P>,
  code: string,
): Promise<P> {
  const { person } = await finishVerification(tx, context, started, code)
  if (!hasSecondFactor(person)) reject(accountsErrors, 'TWO_FACTOR_OFF')
  return person
}

/** The password policy of the platform. */
export async function passwordPolicy({ settings }: Services): Promise<PasswordPolicy> {
  const { security } = await settings.current()
  return { minLength: security.passwordMinLength, complex: security.requireComplexPassword }
}

/** Rejects a new password that violates the platform's policy, with the texts of its dialog. */
export async function checkNewPassword(
  services: Services,
  password: string,
  person: Pick<Person, 'username' | 'email'>,
): Promise<void> {
  const problem = newPasswordProblem(password, await passwordPolicy(services))
  rejectProblem(accountsErrors, problem && { ...problem, field: 'newPassword' })
  await rejectEasyPassword(services, password, person, 'newPassword')
}

/** Rejects passwords that are guessed first: leaked ones, and the names of the account and the platform. */
export async function rejectEasyPassword(
  { settings }: Services,
  password: string,
  { username, email }: Pick<Person, 'username' | 'email'>,
  field: string,
): Promise<void> {
  const { platform } = await settings.current()
  const isEasy = await isEasyToGuess(password, { username, email: email ?? '', platformName: platform.platformName })
  if (isEasy) reject(accountsErrors, 'PASSWORD_TOO_COMMON', { details: { field } })
}
