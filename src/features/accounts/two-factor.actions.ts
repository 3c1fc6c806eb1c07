import { createHash, randomBytes } from 'node:crypto'
import { refuse } from '#contract/refusals.ts'
import type { Tx } from '#database/database.ts'
import { type AccountContext, recordAudit } from '#server/audit.ts'
import type { CallContext } from '#server/endpoint.ts'
import { countAttemptOf, forgetAttemptsOf, refuseUntilCooldownEnds } from '#server/login-throttle.ts'
import type { MasterKey } from '#server/master-key.ts'
import type { Services } from '#server/services.ts'
import { newSessionToken, sessionHash } from '#server/session-cookies.ts'
import { getAccount } from './accounts.actions.ts'
import type { Account, PendingSignIn } from './accounts.reads.ts'
import { accountsRefusals } from './accounts.refusals.ts'
import {
  deletePending,
  deletePendingOf,
  enableSecret,
  insertPending,
  lockAccountRow,
  replaceRecoveryCodes,
  setUnconfirmedSecret,
  takeRecoveryCode,
  takeStep,
  updateSecondFactor,
} from './accounts.writes.ts'
import { base32, matchingStep, otpauthUri } from './totp.ts'

const secretBytes = 20

const recoveryCodes = 10
/** 80 bits, written as four groups of four. */
const recoveryBytes = 10

const placeOf = (accountId: string) => `accounts|totp_secret_sealed|${accountId}`

const subjectOf = (accountId: string) => `second-factor:${accountId}`

export const hasSecondFactor = (account: Account): boolean => account.totp_enabled_at !== null

type TwoFactorContext = AccountContext & Pick<CallContext, 'services'>

/** Gives a new secret with each call; it protects nothing until one of its codes was confirmed (R-2FA-05). */
export async function startTwoFactor(
  tx: Tx,
  context: TwoFactorContext,
): Promise<{ secret: string; otpauthUrl: string }> {
  const { services, actor } = context
  const { security, platform } = await services.settings.current()
  if (!security.enable2FA) refuse(accountsRefusals, 'TWO_FACTOR_UNAVAILABLE')
  const bytes = randomBytes(secretBytes)
  const sealed = services.masterKey.seal(bytes, placeOf(actor.id))
  if (!(await setUnconfirmedSecret(tx.db, actor.id, sealed))) refuse(accountsRefusals, 'TWO_FACTOR_ON_ALREADY')
  await recordAudit(tx, context, { act: 'account.two-factor-start', target: actor.username })
  const secret = base32(bytes)
  return { secret, otpauthUrl: otpauthUri({ issuer: platform.platformName, account: actor.username, secret }) }
}

/** Turns the second factor on; gives the recovery codes. */
export async function confirmTwoFactor(tx: Tx, context: TwoFactorContext, code: string): Promise<string[]> {
  const { services, actor, now } = context
  const account = await getAccount(tx.db, actor.id)
  if (hasSecondFactor(account)) refuse(accountsRefusals, 'TWO_FACTOR_ON_ALREADY')
  if (account.totp_secret_sealed === null) refuse(accountsRefusals, 'TWO_FACTOR_NOT_STARTED')
  if (!(await acceptsTotp(tx, services.masterKey, { account, code, now }))) {
    refuse(accountsRefusals, 'TWO_FACTOR_CODE_WRONG')
  }
  if (!(await enableSecret(tx.db, account.id, now))) refuse(accountsRefusals, 'TWO_FACTOR_ON_ALREADY')
  await endCodeAttempts(tx, account.id)
  await recordAudit(tx, context, { act: 'account.two-factor-on', target: account.username })
  return newRecoveryCodes(tx, account.id)
}

/** New recovery codes of an account whose owner has just proved password and code; the old ones end (R-2FA-04). */
export async function renewRecoveryCodes(tx: Tx, context: AccountContext, account: Account): Promise<string[]> {
  await recordAudit(tx, context, { act: 'account.recovery-codes', target: account.username })
  return newRecoveryCodes(tx, account.id)
}

/** Stored only as hashes. */
async function newRecoveryCodes(tx: Tx, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () =>
    base32(randomBytes(recoveryBytes)).replace(/(.{4})(?=.)/g, '$1-'),
  )
  await replaceRecoveryCodes(tx.db, accountId, codes.map(hashOf))
  return codes
}

/** Turns the second factor off for an account whose owner has just proved password and code. */
export async function disableTwoFactor(tx: Tx, context: AccountContext, account: Account): Promise<void> {
  await updateSecondFactor(tx.db, account.id, {
    totp_secret_sealed: null,
    totp_enabled_at: null,
    totp_last_step: null,
  })
  await replaceRecoveryCodes(tx.db, account.id, [])
  await deletePendingOf(tx.db, account.id)
  await recordAudit(tx, context, { act: 'account.two-factor-off', target: account.username })
}

export interface SecondFactor {
  account: Account
  /** Six digits, or a recovery code. */
  code: string
  now: number
}

/** Takes a code or a recovery code once, or refuses; a right one ends the count of wrong ones. */
export async function requireSecondFactor(tx: Tx, masterKey: MasterKey, answer: SecondFactor): Promise<void> {
  const { account, code, now } = answer
  const accepted =
    (await acceptsTotp(tx, masterKey, answer)) || (await takeRecoveryCode(tx.db, account.id, hashOf(code), now))
  if (!accepted) refuse(accountsRefusals, 'TWO_FACTOR_CODE_WRONG')
  await endCodeAttempts(tx, account.id)
}

const maxWrongCodes = 5

const cooldownSeconds = 900

/**
 * Counts an attempt before its code is checked, in a transaction of its own so that a refusal doesn't undo the count:
 * five wrong codes lock the account's second factor for 15 minutes, however often a sign-in starts over (R-2FA-03).
 */
export async function beginCodeAttempt({ db }: Services, accountId: string, now: number): Promise<void> {
  const rule = { subject: subjectOf(accountId), maxFailures: maxWrongCodes, cooldownSeconds, now }
  const wait = await db.write((tx) => countAttemptOf(tx, rule))
  if (wait > 0) refuseUntilCooldownEnds(wait)
}

const endCodeAttempts = (tx: Tx, accountId: string): Promise<void> => forgetAttemptsOf(tx, subjectOf(accountId))

async function acceptsTotp(tx: Tx, masterKey: MasterKey, { account, code, now }: SecondFactor): Promise<boolean> {
  if (account.totp_secret_sealed === null) return false
  const step = matchingStep(masterKey.open(account.totp_secret_sealed, placeOf(account.id)), code.trim(), now)
  return step !== undefined && takeStep(tx.db, account.id, step)
}

/** Codes have 80 random bits: a plain hash can't be searched through. Case and hyphens don't matter, nor digits that look like letters. */
const hashOf = (code: string): string =>
  createHash('sha256')
    .update(
      code
        .toUpperCase()
        .replaceAll('0', 'O')
        .replaceAll('1', 'I')
        .replaceAll('8', 'B')
        .replaceAll(/[^A-Z2-7]/g, ''),
    )
    .digest('base64url')

const pendingSeconds = 300

/** A right password whose second factor is still to come; gives the token that finishes it. It opens nothing else. */
export async function startPendingSignIn(
  tx: Tx,
  { accountId, rememberMe, now }: { accountId: string; rememberMe: boolean; now: number },
): Promise<string> {
  const token = newSessionToken()
  await insertPending(tx.db, {
    token_hash: sessionHash(token),
    account_id: accountId,
    remember_me: rememberMe ? 1 : 0,
    expires_at: now + pendingSeconds,
  })
  return token
}

/** Takes the code of a pending sign-in, which one call only can finish; gives the account. */
export async function finishPendingSignIn(
  tx: Tx,
  masterKey: MasterKey,
  { pending, code, now }: { pending: PendingSignIn; code: string; now: number },
): Promise<Account> {
  const account = await lockAccountRow(tx.db, pending.account_id)
  if (!account || !(await deletePending(tx.db, pending.token_hash))) refuse(accountsRefusals, 'SIGN_IN_ENDED')
  if (account.banned) refuse(accountsRefusals, 'ACCOUNT_BANNED')
  await requireSecondFactor(tx, masterKey, { account, code, now })
  return account
}
