import { refuse } from '#contract/refusals.ts'
import type { Tx } from '#database/database.ts'
import { countAttempt, forgetAttempts, refuseUntilCooldownEnds } from '#server/login-throttle.ts'
import { accountCost } from '#server/passwords.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { Services } from '#server/services.ts'
import { signInAgain } from './accounts.actions.ts'
import { type Account, findAccount, nameKey } from './accounts.reads.ts'
import { accountsRefusals } from './accounts.refusals.ts'
import { newPasswordProblem } from './accounts.rules.ts'
import { lockAccountRow, updateProvedAt } from './accounts.writes.ts'
import { isEasyToGuess } from './common-passwords.ts'
import { beginCodeAttempt, hasSecondFactor, requireSecondFactor } from './two-factor.actions.ts'

/** What a password attempt was counted under. */
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
  const account = (await findAccount(services.db.read, accountId)) ?? signInAgain()
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

/** From now on the session may do for a while what needs a recent sign-in (R-SES-08). */
export const recordProof = (tx: Tx, sessionHash: string, now: number): Promise<void> =>
  updateProvedAt(tx.db, sessionHash, now)

/** Refuses a new password that the platform's policy doesn't allow, with the texts of its dialog. */
export async function checkNewPassword(
  { settings }: Services,
  password: string,
  person: { username: string; email: string },
): Promise<void> {
  const { security } = await settings.current()
  const policy = { minimumLength: security.passwordMinLength, complex: security.requireComplexPassword }
  const problem = newPasswordProblem(password, policy)
  if (problem) refuse(accountsRefusals, 'PASSWORD_INVALID', { values: { problem } })
  if (isEasyToGuess(password, person)) refuse(accountsRefusals, 'PASSWORD_TOO_COMMON')
}
