import { refuse, refuseProblem } from '#contract/refusals.ts'
import type { Tx } from '#database/database.ts'
import { type AccountContext, recordAudit } from '#server/audit.ts'
import type { CallContext } from '#server/endpoint.ts'
import { countAttempt, forgetAttempts, refuseUntilCooldownEnds } from '#server/login-throttle.ts'
import { accountCost } from '#server/passwords.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { Services } from '#server/services.ts'
import { getAccount, type SignInContext, signInAgain, startSession } from './accounts.actions.ts'
import { type Account, findSessionRow, nameKey } from './accounts.reads.ts'
import { accountsRefusals } from './accounts.refusals.ts'
import { newPasswordProblem, type PasswordPolicy } from './accounts.rules.ts'
import {
  deletePendingOf,
  deleteSessionsOf,
  lockAccountRow,
  updateAccountRow,
  updateProvedAt,
} from './accounts.writes.ts'
import { isEasyToGuess } from './common-passwords.ts'
import { beginCodeAttempt, hasSecondFactor, requireSecondFactor } from './two-factor.actions.ts'

/** The account and the network that a password attempt was counted for. */
export interface Attempt {
  login: string
  network: string
}

interface Caller {
  login: string
  ip: string
  now: number
}

/** Counts an attempt before its password is looked at; refuses during a cooldown (R-AUTH-01). */
export async function beginAttempt({ db, settings }: Services, { login, ip, now }: Caller): Promise<Attempt> {
  const { platform } = await settings.current()
  const rule = { maxFailures: platform.maxFailedLoginAttempts, cooldownSeconds: platform.loginCooldownMinutes * 60 }
  const attempt = { login: nameKey(login), network: networkOf(ip) }
  const wait = await db.write((tx) => countAttempt(tx, { ...attempt, now, rule }))
  if (wait > 0) refuseUntilCooldownEnds(wait)
  return attempt
}

export const endAttempt = (tx: Tx, { login, network }: Attempt): Promise<void> => forgetAttempts(tx, login, network)

interface Proof {
  accountId: string
  password: string
  ip: string
  now: number
}

export interface ProvedPassword {
  account: Account
  attempt: Attempt
}

/** The account, when this is its password; throttled as signing in is. */
export async function provePassword(
  services: Services,
  { accountId, password, ip, now }: Proof,
): Promise<ProvedPassword> {
  const account = await getAccount(services.db.read, accountId)
  const attempt = await beginAttempt(services, { login: account.username, ip, now })
  const right = await services.passwords.verify(password, account.password_hash, accountCost)
  if (!right) refuse(accountsRefusals, 'PASSWORD_WRONG')
  return { account, attempt }
}

/** The same with the second factor where there is one; `finishProof` takes its code. */
export async function proveIdentity(
  services: Services,
  proof: Proof & { code?: string | undefined },
): Promise<ProvedPassword> {
  const proved = await provePassword(services, proof)
  if (!hasSecondFactor(proved.account)) return proved
  if (!proof.code) {
    await services.db.write((tx) => endAttempt(tx, proved.attempt))
    refuse(accountsRefusals, 'TWO_FACTOR_CODE_REQUIRED')
  }
  await beginCodeAttempt(services, proof.accountId, proof.now)
  return proved
}

/** The account as it is now, if the password that was proved is still its password. */
export async function unchangedAccount(tx: Tx, { account }: Pick<ProvedPassword, 'account'>): Promise<Account> {
  const current = (await lockAccountRow(tx.db, account.id)) ?? signInAgain()
  if (current.password_hash !== account.password_hash) refuse(accountsRefusals, 'PASSWORD_WRONG')
  return current
}

/** In the transaction: the password is still the one that was proved, and a code counts once. */
export async function finishProof(
  tx: Tx,
  { masterKey }: Services,
  { account, attempt }: ProvedPassword,
  { code, now }: { code: string | undefined; now: number },
): Promise<Account> {
  const current = await unchangedAccount(tx, { account })
  await endAttempt(tx, attempt)
  if (hasSecondFactor(current)) await requireSecondFactor(tx, masterKey, { account: current, code: code ?? '', now })
  return current
}

type ProofContext = AccountContext & Pick<CallContext, 'services'>

/** Makes the session's proof of identity a fresh one, for calls that need it (R-SES-08). */
export async function reauthenticate(
  tx: Tx,
  context: ProofContext,
  proved: ProvedPassword,
  code: string | undefined,
): Promise<void> {
  const { services, actor, now } = context
  const account = await finishProof(tx, services, proved, { code, now })
  await updateProvedAt(tx.db, actor.sessionHash, now)
  await recordAudit(tx, context, { act: 'account.reauthenticate', target: account.username })
}

interface SecondFactorProof {
  password: string
  code: string
}

/**
 * For calls that change a second factor: proves the password and counts the code. Works while the platform offers
 * no second factor any more: who has one must be able to manage and end it.
 */
export async function proveSecondFactor(
  { services, actor, caller, now }: ProofContext,
  proof: SecondFactorProof,
): Promise<ProvedPassword> {
  const account = await getAccount(services.db.read, actor.id)
  if (!hasSecondFactor(account)) refuse(accountsRefusals, 'TWO_FACTOR_OFF')
  return proveIdentity(services, { accountId: actor.id, ...proof, ip: caller.ip, now })
}

/** In the transaction: as `finishProof`, with a second factor that is still on. */
export async function finishSecondFactorProof(
  tx: Tx,
  { services, now }: ProofContext,
  proved: ProvedPassword,
  code: string,
): Promise<Account> {
  const account = await finishProof(tx, services, proved, { code, now })
  if (!hasSecondFactor(account)) refuse(accountsRefusals, 'TWO_FACTOR_OFF')
  return account
}

/** What the platform demands of a password. */
export async function passwordPolicy({ settings }: Services): Promise<PasswordPolicy> {
  const { security } = await settings.current()
  return { minLength: security.passwordMinLength, complex: security.requireComplexPassword }
}

/** Refuses a new password that the platform's policy doesn't allow, with the texts of its dialog. */
export async function checkNewPassword(
  services: Services,
  password: string,
  person: { username: string; email: string },
): Promise<void> {
  const problem = newPasswordProblem(password, await passwordPolicy(services))
  refuseProblem(accountsRefusals, problem && { ...problem, field: 'newPassword' })
  refuseEasyPassword(password, person, 'newPassword')
}

export function refuseEasyPassword(password: string, person: { username: string; email: string }, field: string): void {
  if (isEasyToGuess(password, person)) refuse(accountsRefusals, 'PASSWORD_TOO_COMMON', { details: { field } })
}

/** A new password ends every session; the caller goes on in a fresh one (R-SES-03, R-SES-05). */
export async function changePassword(
  tx: Tx,
  context: SignInContext & AccountContext,
  { proved, passwordHash }: { proved: ProvedPassword; passwordHash: string },
): Promise<void> {
  // Another call may have ended this session, or changed the password, while this one was hashing.
  const session = (await findSessionRow(tx.db, context.actor.sessionHash)) ?? signInAgain()
  const account = await unchangedAccount(tx, proved)
  await endAttempt(tx, proved.attempt)
  await updateAccountRow(tx.db, account.id, { password_hash: passwordHash })
  await deleteSessionsOf(tx.db, account.id)
  await deletePendingOf(tx.db, account.id)
  await startSession(tx, context, account, {
    rememberMe: session.remember_me === 1,
    selectedAppId: session.selected_app_id,
  })
  await recordAudit(tx, context, { act: 'account.change-password', target: account.username })
}
