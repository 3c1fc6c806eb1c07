import { createHash, randomBytes } from 'node:crypto'
import type { Reader, Unit } from '#database/database.ts'
import { refuse } from '#contract/refusals.ts'
import { countAttemptOf, forgetAttemptsOf, refuseUntilCooldownEnds } from '#server/login-throttle.ts'
import type { MasterKey } from '#server/master-key.ts'
import type { Services } from '#server/services.ts'
import { accountsRefusals } from './accounts.contract.ts'
import type { Account } from './accounts.queries.ts'
import { base32 } from './base32.ts'
import { matchingStep, otpauthUri } from './totp.ts'
import {
  countRecoveryCodes,
  deletePendingOf,
  enableSecret,
  replaceRecoveryCodes,
  setUnconfirmedSecret,
  takeRecoveryCode,
  takeStep,
  updateSecondFactor,
} from './two-factor.queries.ts'

const secretBytes = 20
const recoveryCodes = 10
/** 80 bits, written as four groups of four. */
const recoveryBytes = 10

const placeOf = (accountId: string) => `accounts|totp_secret_sealed|${accountId}`
const subjectOf = (accountId: string) => `second-factor:${accountId}`

export const hasSecondFactor = (account: Account): boolean => account.totp_enabled_at !== null

export const recoveryCodesLeft = (db: Reader, accountId: string): Promise<number> => countRecoveryCodes(db, accountId)

/** A new secret, each time it is asked for; it means nothing until a code of it was confirmed (R-2FA-05). */
export async function beginTwoFactor(
  unit: Unit,
  masterKey: MasterKey,
  { accountId, username, issuer }: { accountId: string; username: string; issuer: string },
): Promise<{ secret: string; otpauthUrl: string }> {
  const bytes = randomBytes(secretBytes)
  const kept = await setUnconfirmedSecret(unit.trx, accountId, masterKey.seal(bytes, placeOf(accountId)))
  if (!kept) refuse(accountsRefusals, 'TWO_FACTOR_ON_ALREADY')
  const secret = base32(bytes)
  return { secret, otpauthUrl: otpauthUri({ issuer, account: username, secret }) }
}

/** Turns the second factor on; gives the recovery codes. */
export async function confirmTwoFactor(unit: Unit, masterKey: MasterKey, answer: SecondFactor): Promise<string[]> {
  const { account, now } = answer
  if (hasSecondFactor(account)) refuse(accountsRefusals, 'TWO_FACTOR_ON_ALREADY')
  if (account.totp_secret_sealed === null) refuse(accountsRefusals, 'TWO_FACTOR_NOT_STARTED')
  if (!(await acceptsTotp(unit, masterKey, answer))) refuse(accountsRefusals, 'TWO_FACTOR_CODE_WRONG')
  if (!(await enableSecret(unit.trx, account.id, now))) refuse(accountsRefusals, 'TWO_FACTOR_ON_ALREADY')
  await endCodeAttempts(unit, account.id)
  return renewRecoveryCodes(unit, account.id)
}

/** Ten new ones, stored only as hashes; the old ones are worth nothing any more (R-2FA-04). */
export async function renewRecoveryCodes(unit: Unit, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () =>
    base32(randomBytes(recoveryBytes)).replace(/(.{4})(?=.)/g, '$1-'),
  )
  await replaceRecoveryCodes(unit.trx, accountId, codes.map(hashOf))
  return codes
}

export async function disableTwoFactor(unit: Unit, accountId: string): Promise<void> {
  await updateSecondFactor(unit.trx, accountId, {
    totp_secret_sealed: null,
    totp_enabled_at: null,
    totp_last_step: null,
  })
  await replaceRecoveryCodes(unit.trx, accountId, [])
  await deletePendingOf(unit.trx, accountId)
}

export interface SecondFactor {
  account: Account
  /** Six digits, or a recovery code. */
  code: string
  now: number
}

/** Takes a code or a recovery code once, or refuses; what counted the attempt is forgotten. */
export async function requireSecondFactor(unit: Unit, masterKey: MasterKey, answer: SecondFactor): Promise<void> {
  const { account, code, now } = answer
  const accepted =
    (await acceptsTotp(unit, masterKey, answer)) || (await takeRecoveryCode(unit.trx, account.id, hashOf(code), now))
  if (!accepted) refuse(accountsRefusals, 'TWO_FACTOR_CODE_WRONG')
  await endCodeAttempts(unit, account.id)
}

const mostWrongCodes = 5
const cooldownSeconds = 900

/**
 * Counts before a code is looked at, in a unit of its own so that a refusal keeps the count: five wrong
 * ones lock the account's second factor for 15 minutes, however often a sign-in starts over (R-2FA-03).
 */
export async function beginCodeAttempt({ db }: Services, accountId: string, now: number): Promise<void> {
  const rule = { subject: subjectOf(accountId), mostFailures: mostWrongCodes, cooldownSeconds, now }
  const wait = await db.write((unit) => countAttemptOf(unit, rule))
  if (wait > 0) refuseUntilCooldownEnds(wait)
}

const endCodeAttempts = (unit: Unit, accountId: string): Promise<void> => forgetAttemptsOf(unit, subjectOf(accountId))

async function acceptsTotp(unit: Unit, masterKey: MasterKey, { account, code, now }: SecondFactor): Promise<boolean> {
  if (account.totp_secret_sealed === null) return false
  const step = matchingStep(masterKey.open(account.totp_secret_sealed, placeOf(account.id)), code.trim(), now)
  return step !== undefined && takeStep(unit.trx, account.id, step)
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
