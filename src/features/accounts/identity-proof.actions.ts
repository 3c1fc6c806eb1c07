import { refuse, refuseProblem } from '#contract/refusals.ts'
import type { Tx } from '#database/database.ts'
import { type AccountContext, type AuditContext, recordAudit } from '#server/audit.ts'
import type { CallContext } from '#server/http/endpoint.ts'
import { type Attempt, beginAttempt, endAttempt } from '#server/auth/login-throttle.ts'
import { isUnderMaintenance, refuseDuringMaintenance } from '#server/maintenance.ts'
import { accountCost } from '#server/auth/passwords.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { Services } from '#server/services.ts'
import { getAccount, signInAgain } from './accounts.actions.ts'
import { type Account, findAccount, findAccountByLogin, nameKey, type PendingSignIn } from './accounts.reads.ts'
import { accountsRefusals } from './accounts.refusals.ts'
import { newPasswordProblem, type PasswordPolicy } from './accounts.rules.ts'
import { deletePending, lockAccountRow, replacePasswordHash, updateProvedAt } from './accounts.writes.ts'
import { isEasyToGuess } from './common-passwords.ts'
import { deviceOf } from './known-devices.ts'
import { beginCodeAttempt, hasSecondFactor, isRightCode, takeSecondFactor } from './two-factor.actions.ts'

/** Who proves an identity, from where: of a call that signs in, or of one that is signed in. */
export type ProofContext = AuditContext & Pick<CallContext, 'actor' | 'services' | 'caller' | 'cookies'>

declare const proved: unique symbol

/**
 * That somebody has just shown to be this account by all that it takes: the password and, where it is on, the second
 * factor. Sessions start and delicate calls open with it alone, and only this file makes one (R-SES-08).
 */
export interface IdentityProof {
  readonly account: Account
  readonly [proved]: true
}

const proofOf = (account: Account): IdentityProof => ({ account }) as IdentityProof

/** Who has just made an account is its owner. */
export const proofOfNewAccount = proofOf

/** A password that was right before the transaction; `finishProof` takes it. */
export interface ProvedPassword {
  account: Account
  attempt: Attempt
}

type ProofFailure = 'password' | 'code' | 'banned'

/** Written apart from what is refused, whose transaction leaves nothing (R-LOG-01). Never what was typed. */
async function recordFailure(context: ProofContext, account: Account | undefined, reason: ProofFailure): Promise<void> {
  const { services, actor, caller } = context
  const act = actor.type === 'anyone' ? 'account.login-failed' : 'account.proof-failed'
  const details = { reason, userAgent: caller.userAgent.slice(0, 300) }
  await services.db.write((tx) =>
    recordAudit(tx, context, { act, target: account?.username ?? '', details, ownerId: account?.id ?? '' }),
  )
}

/** Counts the attempt and looks at the password; undefined when it is wrong or there is no such account. */
async function provePassword(
  context: ProofContext,
  { account, login, password }: { account: Account | undefined; login: string; password: string },
): Promise<ProvedPassword | undefined> {
  const attempt = {
    realm: 'dashboard',
    account: account ? `id ${account.id}` : `name ${nameKey(login)}`,
    network: networkOf(context.caller.ip),
    device: account && deviceOf(context, account),
  }
  await beginAttempt(context.services, attempt, context.now)
  const current = await accountOfPassword(context.services, account, password)
  return current && { account: current, attempt }
}

/** The account if this is its password, with the hash that is stored then. */
async function accountOfPassword(
  { passwords, db }: Services,
  account: Account | undefined,
  password: string,
): Promise<Account | undefined> {
  const hash = await passwords.verifyAndRenew(password, account?.password_hash, {
    cost: accountCost,
    replace: (renewed) => db.write(async (tx) => account !== undefined && replacePasswordHash(tx.db, account, renewed)),
    read: async () => account && (await findAccount(db.read, account.id))?.password_hash,
  })
  return account && hash !== undefined ? { ...account, password_hash: hash } : undefined
}

/** The first step of signing in. Who doesn't exist and who has another password look and last the same (R-AUTH-04). */
export async function proveLogin(
  context: ProofContext,
  { login, password }: { login: string; password: string },
): Promise<ProvedPassword> {
  const account = await findAccountByLogin(context.services.db.read, login)
  const started = await provePassword(context, { account, login, password })
  if (!started) {
    await recordFailure(context, account, 'password')
    return refuse(accountsRefusals, 'LOGIN_FAILED')
  }
  if (started.account.banned) {
    await recordFailure(context, account, 'banned')
    refuse(accountsRefusals, 'ACCOUNT_BANNED')
  }
  if (started.account.role !== 'admin') await refuseSignInDuringMaintenance(context.services, started.attempt)
  return started
}

/** Only administrators come in then. The password was right, so that the attempt is no failure. */
export async function refuseSignInDuringMaintenance(services: Services, attempt: Attempt): Promise<void> {
  if (!isUnderMaintenance(services)) return
  await services.db.write((tx) => endAttempt(tx, attempt))
  refuseDuringMaintenance(services)
}

/** In the transaction: the account, and the proof where the password is all that it takes. */
export async function finishLogin(
  tx: Tx,
  { account, attempt }: ProvedPassword,
): Promise<{ account: Account; proof: IdentityProof | undefined }> {
  // Read again: a ban, deletion or new password may have come while the password was being checked.
  const current = await lockAccountRow(tx.db, account.id)
  if (!current || current.password_hash !== account.password_hash) refuse(accountsRefusals, 'LOGIN_FAILED')
  if (current.banned) refuse(accountsRefusals, 'ACCOUNT_BANNED')
  await endAttempt(tx, attempt)
  return { account: current, proof: hasSecondFactor(current) ? undefined : proofOf(current) }
}

/** Counts the attempt and looks at the code of a sign-in whose password was right; `finishPendingSignIn` takes it. */
export async function proveCode(context: ProofContext, accountId: string, code: string): Promise<void> {
  const { services } = context
  const account = await findAccount(services.db.read, accountId)
  if (!account) refuse(accountsRefusals, 'SIGN_IN_ENDED')
  if (account.role !== 'admin') refuseDuringMaintenance(services)
  await beginCodeAttempt(context, account, code)
  if (await isRightCode(services, account, code, context.now)) return
  await recordFailure(context, account, 'code')
  refuse(accountsRefusals, 'TWO_FACTOR_CODE_WRONG')
}

/** Takes the code of a pending sign-in, which one call only can finish. */
export async function finishPendingSignIn(
  tx: Tx,
  context: ProofContext,
  { pending, code }: { pending: PendingSignIn; code: string },
): Promise<IdentityProof> {
  const account = await lockAccountRow(tx.db, pending.account_id)
  if (!account || !(await deletePending(tx.db, pending.token_hash))) refuse(accountsRefusals, 'SIGN_IN_ENDED')
  if (account.banned) refuse(accountsRefusals, 'ACCOUNT_BANNED')
  await takeSecondFactor(tx, context, account, code)
  return proofOf(account)
}

interface Proof {
  password: string
  code?: string | undefined
}

/** For somebody who is signed in: counts and looks at the password and, where it is on, at the code. */
export async function proveIdentity(context: ProofContext & AccountContext, proof: Proof): Promise<ProvedPassword> {
  const { services, actor } = context
  const account = await getAccount(services.db.read, actor.id)
  const started = await provePassword(context, { account, login: account.username, password: proof.password })
  if (!started) {
    await recordFailure(context, account, 'password')
    return refuse(accountsRefusals, 'PASSWORD_WRONG')
  }
  if (!hasSecondFactor(account)) return started
  if (!proof.code) {
    await services.db.write((tx) => endAttempt(tx, started.attempt))
    return refuse(accountsRefusals, 'TWO_FACTOR_CODE_REQUIRED')
  }
  await proveCode(context, account.id, proof.code)
  return started
}

/** In the transaction: the password is still the one that was proved, and a code counts once. */
export async function finishProof(
  tx: Tx,
  context: ProofContext,
  { account, attempt }: ProvedPassword,
  code: string | undefined,
): Promise<IdentityProof> {
  const current = (await lockAccountRow(tx.db, account.id)) ?? signInAgain()
  if (current.password_hash !== account.password_hash) refuse(accountsRefusals, 'PASSWORD_WRONG')
  await endAttempt(tx, attempt)
  if (hasSecondFactor(current)) await takeSecondFactor(tx, context, current, code ?? '')
  return proofOf(current)
}

/** Makes the session's proof of identity a fresh one, for calls that need it (R-SES-08). */
export async function reauthenticate(
  tx: Tx,
  context: ProofContext & AccountContext,
  started: ProvedPassword,
  code: string | undefined,
): Promise<void> {
  const { account } = await finishProof(tx, context, started, code)
  await updateProvedAt(tx.db, context.actor.sessionHash, context.now)
  await recordAudit(tx, context, { act: 'account.reauthenticate', target: account.username })
}

/**
 * For calls that change a second factor. Works while the platform offers none any more: who has one must be able to
 * manage and end it.
 */
export async function proveSecondFactor(
  context: ProofContext & AccountContext,
  proof: Proof & { code: string },
): Promise<ProvedPassword> {
  const account = await getAccount(context.services.db.read, context.actor.id)
  if (!hasSecondFactor(account)) refuse(accountsRefusals, 'TWO_FACTOR_OFF')
  return proveIdentity(context, proof)
}

/** In the transaction: as `finishProof`, with a second factor that is still on. */
export async function finishSecondFactorProof(
  tx: Tx,
  context: ProofContext,
  started: ProvedPassword,
  code: string,
): Promise<Account> {
  const { account } = await finishProof(tx, context, started, code)
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
  await refuseEasyPassword(services, password, person, 'newPassword')
}

/** Refuses what is guessed first: listed passwords, and the names of the account and of the platform (R-AUTH-09). */
export async function refuseEasyPassword(
  { settings }: Services,
  password: string,
  { username, email }: { username: string; email: string },
  field: string,
): Promise<void> {
  const { platform } = await settings.current()
  const isEasy = await isEasyToGuess(password, { username, email, platformName: platform.platformName })
  if (isEasy) refuse(accountsRefusals, 'PASSWORD_TOO_COMMON', { details: { field } })
}
