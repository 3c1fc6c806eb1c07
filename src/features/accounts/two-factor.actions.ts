import { createHash, randomBytes } from 'node:crypto'
import { refuse } from '#contract/refusals.ts'
import type { Reader, Tx } from '#database/database.ts'
import { countAttemptOf, forgetAttemptsOf, refuseUntilCooldownEnds } from '#server/login-throttle.ts'
import type { MasterKey } from '#server/master-key.ts'
import type { Services } from '#server/services.ts'
import { newSessionToken, sessionHash } from '#server/session-cookies.ts'
import { type Account, findPending, type PendingSignIn } from './accounts.reads.ts'
import { accountsRefusals } from './accounts.refusals.ts'
import {
  deletePending,
  deletePendingOf,
  enableSecret,
  insertPending,
  replaceRecoveryCodes,
  setUnconfirmedSecret,
  takeRecoveryCode,
  takeStep,
  updateSecondFactor,
} from './accounts.writes.ts'
import { base32 } from './base32.ts'
import { matchingStep, otpauthUri } from './totp.ts'

const secretBytes = 20

const recoveryCodes = 10
/** 80 bits, written as four groups of four. */
const recoveryBytes = 10

const placeOf = (accountId: string) => `accounts|totp_secret_sealed|${accountId}`

const subjectOf = (accountId: string) => `second-factor:${accountId}`

export const hasSecondFactor = (account: Account): boolean => account.totp_enabled_at !== null

/** A new secret, each time it is asked for; it means nothing until a code of it was confirmed (R-2FA-05). */
export async function beginTwoFactor(
  tx: Tx,
  masterKey: MasterKey,
  { accountId, username, issuer }: { accountId: string; username: string; issuer: string },
): Promise<{ secret: string; otpauthUrl: string }> {
  const bytes = randomBytes(secretBytes)
  const kept = await setUnconfirmedSecret(tx.db, accountId, masterKey.seal(bytes, placeOf(accountId)))
  if (!kept) refuse(accountsRefusals, 'TWO_FACTOR_ON_ALREADY')
  const secret = base32(bytes)
  return { secret, otpauthUrl: otpauthUri({ issuer, account: username, secret }) }
}

/** Turns the second factor on; gives the recovery codes. */
export async function confirmTwoFactor(tx: Tx, masterKey: MasterKey, answer: SecondFactor): Promise<string[]> {
  const { account, now } = answer
  if (hasSecondFactor(account)) refuse(accountsRefusals, 'TWO_FACTOR_ON_ALREADY')
  if (account.totp_secret_sealed === null) refuse(accountsRefusals, 'TWO_FACTOR_NOT_STARTED')
  if (!(await acceptsTotp(tx, masterKey, answer))) refuse(accountsRefusals, 'TWO_FACTOR_CODE_WRONG')
  if (!(await enableSecret(tx.db, account.id, now))) refuse(accountsRefusals, 'TWO_FACTOR_ON_ALREADY')
  await endCodeAttempts(tx, account.id)
  return renewRecoveryCodes(tx, account.id)
}

/** Ten new ones, stored only as hashes; the old ones are worth nothing any more (R-2FA-04). */
export async function renewRecoveryCodes(tx: Tx, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () =>
    base32(randomBytes(recoveryBytes)).replace(/(.{4})(?=.)/g, '$1-'),
  )
  await replaceRecoveryCodes(tx.db, accountId, codes.map(hashOf))
  return codes
}

export async function disableTwoFactor(tx: Tx, accountId: string): Promise<void> {
  await updateSecondFactor(tx.db, accountId, {
    totp_secret_sealed: null,
    totp_enabled_at: null,
    totp_last_step: null,
  })
  await replaceRecoveryCodes(tx.db, accountId, [])
  await deletePendingOf(tx.db, accountId)
}

export interface SecondFactor {
  account: Account
  /** Six digits, or a recovery code. */
  code: string
  now: number
}

/** Takes a code or a recovery code once, or refuses; what counted the attempt is forgotten. */
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
 * Counts before a code is looked at, in a transaction of its own so that a refusal keeps the count: five wrong
 * ones lock the account's second factor for 15 minutes, however often a sign-in starts over (R-2FA-03).
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

export const pendingSignIn = (db: Reader, token: string, now: number): Promise<PendingSignIn | undefined> =>
  findPending(db, sessionHash(token), now)

/** True for the one call that finishes it. */
export const takePendingSignIn = (tx: Tx, { token_hash }: PendingSignIn): Promise<boolean> =>
  deletePending(tx.db, token_hash)
