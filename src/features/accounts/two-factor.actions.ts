import { createHash, randomBytes } from 'node:crypto'
import { refuse } from '#contract/refusals.ts'
import type { Tx } from '#database/database.ts'
import { type AccountContext, recordAudit } from '#server/audit.ts'
import type { CallContext } from '#server/http/endpoint.ts'
import { type Counter, countOrRefuse, endCount, undoAttempt } from '#server/auth/login-throttle.ts'
import type { MasterKey } from '#server/master-key.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { Services } from '#server/services.ts'
import { newSessionToken, sessionHash } from '#server/http/session-cookies.ts'
import { mailAccount } from './account-mails.ts'
import { getAccount } from './accounts.actions.ts'
import { type Account, hasRecoveryCode } from './accounts.reads.ts'
import { accountsRefusals } from './accounts.refusals.ts'
import {
  deletePendingOf,
  enableSecret,
  insertPending,
  replaceRecoveryCodes,
  setUnconfirmedSecret,
  takeRecoveryCode,
  takeStep,
  updateAccountRow,
  updateSecondFactor,
} from './accounts.writes.ts'
import { type DeviceContext, deviceOf, rememberDevice } from './known-devices.ts'
import { base32, matchingStep, otpauthUri } from './totp.ts'

const secretBytes = 20

const recoveryCodes = 10
/** 80 bits, written as four groups of four. */
const recoveryBytes = 10

const placeOf = (accountId: string) => `accounts|totp_secret_sealed|${accountId}`

export const hasSecondFactor = (account: Account): boolean => account.totp_enabled_at !== null

type TwoFactorContext = AccountContext & CodeContext

type CodeContext = DeviceContext & Pick<CallContext, 'caller'>

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

/**
 * Turns the second factor on; gives the recovery codes. Devices that knew the password alone are strangers from then
 * on, but for this one.
 */
export async function confirmTwoFactor(tx: Tx, context: TwoFactorContext, code: string): Promise<string[]> {
  const { services, actor, now } = context
  const account = await getAccount(tx.db, actor.id)
  if (hasSecondFactor(account)) refuse(accountsRefusals, 'TWO_FACTOR_ON_ALREADY')
  if (account.totp_secret_sealed === null) refuse(accountsRefusals, 'TWO_FACTOR_NOT_STARTED')
  if (!(await takeTotp(tx, services.masterKey, { account, code, now }))) {
    refuse(accountsRefusals, 'TWO_FACTOR_CODE_WRONG')
  }
  if (!(await enableSecret(tx.db, account.id, now))) refuse(accountsRefusals, 'TWO_FACTOR_ON_ALREADY')
  await endCodeAttempt(tx, context, account, code)
  await updateAccountRow(tx.db, account.id, { devices_since: now })
  tx.afterCommit(() => rememberDevice(context, account.id))
  await recordAudit(tx, context, { act: 'account.two-factor-on', target: account.username })
  await mailAccount(tx, context, account, 'two-factor-on')
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
export async function disableTwoFactor(tx: Tx, context: TwoFactorContext, account: Account): Promise<void> {
  await updateSecondFactor(tx.db, account.id, {
    totp_secret_sealed: null,
    totp_enabled_at: null,
    totp_last_step: null,
  })
  await replaceRecoveryCodes(tx.db, account.id, [])
  await deletePendingOf(tx.db, account.id)
  await recordAudit(tx, context, { act: 'account.two-factor-off', target: account.username })
  await mailAccount(tx, context, account, 'two-factor-off')
}

interface SecondFactor {
  account: Account
  /** Six digits, or a recovery code. */
  code: string
  now: number
}

/** Whether a code or a recovery code would be taken now; it isn't taken by that. */
export async function isRightCode(
  { db, masterKey }: Services,
  account: Account,
  code: string,
  now: number,
): Promise<boolean> {
  const step = stepOf(masterKey, { account, code, now })
  if (step !== undefined) return account.totp_last_step === null || step > account.totp_last_step
  return hasRecoveryCode(db.read, account.id, hashOf(code))
}

/** Takes a code or a recovery code once, or refuses; a right one ends the count of wrong ones. */
export async function takeSecondFactor(tx: Tx, context: CodeContext, account: Account, code: string): Promise<void> {
  const { services, now } = context
  const accepted =
    (await takeTotp(tx, services.masterKey, { account, code, now })) ||
    (await takeRecoveryCode(tx.db, account.id, hashOf(code), now))
  if (!accepted) refuse(accountsRefusals, 'TWO_FACTOR_CODE_WRONG')
  await endCodeAttempt(tx, context, account, code)
}

const maxWrongCodes = 5

const cooldownSeconds = 900

/**
 * Five wrong codes of strangers lock the six digits for strangers everywhere, however often a sign-in starts over
 * (R-2FA-03). A known device is stopped by its own wrong codes alone (R-AUTH-03), and a recovery code, which can't be
 * guessed, by those of its network.
 */
function countersOf(context: CodeContext, account: Account, code: string): [Counter, ...Counter[]] {
  const max = () => maxWrongCodes
  const device = deviceOf(context, account)
  if (device !== undefined) return [{ subject: `code-device:${account.id}|${device}`, max }]
  const ofNetwork = { subject: `code-pair:${account.id}|${networkOf(context.caller.ip)}`, max }
  return isSixDigits(code) ? [ofNetwork, { subject: `code:${account.id}`, max }] : [ofNetwork]
}

const isSixDigits = (code: string): boolean => /^[0-9]{6}$/.test(code.trim())

/** Counts an attempt before its code is looked at, in a transaction of its own: a refusal doesn't undo the count. */
export const beginCodeAttempt = (context: CodeContext, account: Account, code: string): Promise<void> =>
  countOrRefuse(context.services.db, { now: context.now, cooldownSeconds }, countersOf(context, account, code))

async function endCodeAttempt(tx: Tx, context: CodeContext, account: Account, code: string): Promise<void> {
  const [own, ...others] = countersOf(context, account, code)
  await endCount(tx, own.subject)
  for (const { subject } of others) await undoAttempt(tx, subject)
}

async function takeTotp(tx: Tx, masterKey: MasterKey, factor: SecondFactor): Promise<boolean> {
  const step = stepOf(masterKey, factor)
  return step !== undefined && takeStep(tx.db, factor.account.id, step)
}

/** The 30-second step whose code this is, if any near. */
function stepOf(masterKey: MasterKey, { account, code, now }: SecondFactor): number | undefined {
  if (account.totp_secret_sealed === null) return undefined
  return matchingStep(masterKey.open(account.totp_secret_sealed, placeOf(account.id)), code.trim(), now)
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
