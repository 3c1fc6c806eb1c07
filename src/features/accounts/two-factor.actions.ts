import { createHash, randomBytes } from 'node:crypto'
import { reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { type AuditContext, recordAudit, type SignedInContext } from '#server/audit/audit.ts'
import { type DeviceContext, deviceOf, forgetDevicesUntilNow, rememberDevice } from '#server/auth/known-devices.ts'
import { updatePerson } from '#server/auth/people.ts'
import {
  deleteSecondFactor,
  enableSecret,
  findPending,
  hasRecoveryCode,
  insertPending,
  replaceRecoveryCodes,
  setUnconfirmedSecret,
  takeRecoveryCode,
  takeStep,
} from '#server/auth/second-factors.ts'
import type { PendingSignIn, Person, SignInTables } from '#server/auth/sign-in-tables.ts'
import { base32, matchingStep, otpauthUri } from '#server/auth/totp.ts'
import type { CallContext } from '#server/http/endpoint.ts'
import { type Counter, countOrReject, endCount, undoAttempt } from '#server/auth/login-throttle.ts'
import type { MasterKey } from '#server/secrets/master-key.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { Services } from '#server/services.ts'
import { newSessionToken, sessionHash } from '#server/secrets/session-token.ts'
import { mailAccount } from './account-mails.ts'
import { signInAgain } from './accounts.actions.ts'
import { accountsErrors } from './accounts.errors.ts'
import { type SignInKind, signInKinds } from './sign-in-kinds.ts'

const secretBytes = 20

const recoveryCodes = 10
/** 80 bits, formatted as four groups of four. */
const recoveryBytes = 10

const placeOf = ({ people }: SignInTables, id: string) => `${people}|totp_secret_sealed|${id}`

export const hasSecondFactor = (person: Person): boolean => person.totp_enabled_at !== null

type TwoFactorContext = SignedInContext & CodeContext

type CodeContext = DeviceContext & Pick<CallContext, 'caller'>

/** Names a secret without revealing it: secrets have 160 random bits. */
const setupIdOf = (secret: Uint8Array): string =>
  createHash('sha256').update('two-factor setup|').update(secret).digest('base64url').slice(0, 22)

/** Rejects a confirmation of a secret that a later start has replaced. Without a `setupId`, any secret will do. */
export function rejectReplacedSetup(
  { masterKey }: Pick<Services, 'masterKey'>,
  { tables }: SignInKind,
  person: Person,
  setupId: string | undefined,
): void {
  if (setupId === undefined || hasSecondFactor(person) || person.totp_secret_sealed === null) return
  const stored = setupIdOf(masterKey.open(person.totp_secret_sealed, placeOf(tables, person.id)))
  if (setupId !== stored) reject(accountsErrors, 'TWO_FACTOR_SETUP_REPLACED')
}

/** Returns a new secret on each call; it has no effect until one of its codes is confirmed. */
export async function startTwoFactor(
  tx: Tx,
  context: TwoFactorContext,
  { name, tables }: SignInKind,
): Promise<{ secret: string; otpauthUrl: string; setupId: string }> {
  const { services, actor } = context
  const { security, platform } = services.settings.latest
  if (!security.enable2FA) reject(accountsErrors, 'TWO_FACTOR_UNAVAILABLE')
  const bytes = randomBytes(secretBytes)
  const sealed = services.masterKey.seal(bytes, placeOf(tables, actor.id))
  if (!(await setUnconfirmedSecret(tx.db, tables, actor.id, sealed))) reject(accountsErrors, 'TWO_FACTOR_ON_ALREADY')
  await recordAudit(tx, context, { act: `${name}.two-factor-start`, target: actor.username })
  const secret = base32(bytes)
  const otpauthUrl = otpauthUri({ issuer: platform.platformName, account: actor.username, secret })
  return { secret, otpauthUrl, setupId: setupIdOf(bytes) }
}

/** Turns on the second factor; returns the recovery codes. All devices except this one become unknown. */
export async function confirmTwoFactor(
  tx: Tx,
  context: TwoFactorContext,
  kind: SignInKind,
  { code, setupId }: { code: string; setupId?: string | undefined },
): Promise<string[]> {
  const { services, actor, now } = context
  const { name, tables } = kind
  const person = (await kind.find(tx.db, actor.id)) ?? signInAgain()
  if (hasSecondFactor(person)) reject(accountsErrors, 'TWO_FACTOR_ON_ALREADY')
  const { totp_secret_sealed: sealed } = person
  if (sealed === null) reject(accountsErrors, 'TWO_FACTOR_NOT_STARTED')
  rejectReplacedSetup(services, kind, person, setupId)
  if (!(await takeTotp(tx, services.masterKey, tables, { person, code, now }))) {
    reject(accountsErrors, 'TWO_FACTOR_CODE_WRONG')
  }
  if (!(await enableSecret(tx.db, tables, { id: person.id, sealed, now }))) {
    const latest = (await kind.find(tx.db, person.id)) ?? signInAgain()
    reject(accountsErrors, hasSecondFactor(latest) ? 'TWO_FACTOR_ON_ALREADY' : 'TWO_FACTOR_SETUP_REPLACED')
  }
  await endCodeAttempt(tx, context, person, code)
  const change = { devices_since: forgetDevicesUntilNow(services) }
  await updatePerson(tx.db, tables, person.id, change)
  tx.afterCommit(() => rememberDevice(context, { id: person.id, ...change }))
  await recordAudit(tx, context, { act: `${name}.two-factor-on`, target: person.username })
  await mailAccount(tx, context, kind, person, 'two-factor-on')
  return newRecoveryCodes(tx, tables, person.id)
}

/** Creates new recovery codes after password and code were verified; the old ones stop working. */
export async function renewRecoveryCodes(
  tx: Tx,
  context: AuditContext,
  { name, tables }: SignInKind,
  person: Person,
): Promise<string[]> {
  await recordAudit(tx, context, { act: `${name}.recovery-codes`, target: person.username })
  return newRecoveryCodes(tx, tables, person.id)
}

/** Stored only as hashes. */
async function newRecoveryCodes(tx: Tx, tables: SignInTables, personId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () =>
    base32(randomBytes(recoveryBytes)).replace(/(.{4})(?=.)/g, '$1-'),
  )
  await replaceRecoveryCodes(tx.db, tables, personId, codes.map(hashOf))
  return codes
}

/** Turns off the second factor, after password and code were verified or on behalf of the owner. */
export async function disableTwoFactor(
  tx: Tx,
  context: AuditContext & { services: Services },
  kind: SignInKind,
  person: Person,
): Promise<void> {
  const { name, tables } = kind
  await deleteSecondFactor(tx.db, tables, person.id)
  await recordAudit(tx, context, { act: `${name}.two-factor-off`, target: person.username })
  await mailAccount(tx, context, kind, person, 'two-factor-off')
}

interface SecondFactor {
  person: Person
  /** Six digits, or a recovery code. */
  code: string
}

/** Checks a code or a recovery code without consuming it. */
export async function isRightCode(
  { db, masterKey }: Services,
  { tables }: SignInKind,
  factor: SecondFactor & { now: number },
): Promise<boolean> {
  const { person, code } = factor
  const step = stepOf(masterKey, tables, factor)
  if (step !== undefined) return person.totp_last_step === null || step > person.totp_last_step
  return hasRecoveryCode(db.read, tables, person.id, hashOf(code))
}

/** Consumes a code or a recovery code, or rejects it; a valid one resets the failure counter. */
export async function takeSecondFactor(
  tx: Tx,
  context: CodeContext,
  { tables }: SignInKind,
  { person, code }: SecondFactor,
): Promise<void> {
  const { services, now } = context
  const accepted =
    (await takeTotp(tx, services.masterKey, tables, { person, code, now })) ||
    (await takeRecoveryCode(tx.db, tables, { id: person.id, hash: hashOf(code), now }))
  if (!accepted) reject(accountsErrors, 'TWO_FACTOR_CODE_WRONG')
  await endCodeAttempt(tx, context, person, code)
}

const maxWrongCodes = 5

const cooldownSeconds = 900

/**
 * After five wrong codes from unknown devices, unknown devices cannot use six-digit codes at all, however often they
 * restart the sign-in. A known device is limited only by its own wrong codes, and recovery
 * codes, which cannot be guessed, by those of the network.
 */
function countersOf(context: CodeContext, person: Person, code: string): [Counter, ...Counter[]] {
  const max = () => maxWrongCodes
  const device = deviceOf(context, person)
  if (device !== undefined) return [{ subject: `code-device:${person.id}|${device}`, max }]
  const ofNetwork = { subject: `code-pair:${person.id}|${networkOf(context.caller.ip)}`, max }
  return isSixDigits(code) ? [ofNetwork, { subject: `code:${person.id}`, max }] : [ofNetwork]
}

const isSixDigits = (code: string): boolean => /^[0-9]{6}$/.test(code.trim())

/**
 * Counts an attempt before the code is verified, in a transaction of its own, so that a rejection does not undo the
 * count.
 */
export const beginCodeAttempt = (context: CodeContext, person: Person, code: string): Promise<void> =>
  countOrReject(context.services.db, { now: context.now, cooldownSeconds }, countersOf(context, person, code))

/** Does work after a right code. If that ends without consuming it, the attempt is taken back. */
export async function orUndoCodeAttempt<T>(
  context: CodeContext,
  { person, code }: SecondFactor,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await context.services.db.write(async (tx) => {
      for (const { subject } of countersOf(context, person, code)) await undoAttempt(tx, subject)
    })
    throw error
  }
}

async function endCodeAttempt(tx: Tx, context: CodeContext, person: Person, code: string): Promise<void> {
  const [own, ...others] = countersOf(context, person, code)
  await endCount(tx, own.subject)
  for (const { subject } of others) await undoAttempt(tx, subject)
}

async function takeTotp(
  tx: Tx,
  masterKey: MasterKey,
  tables: SignInTables,
  factor: SecondFactor & { now: number },
): Promise<boolean> {
  const step = stepOf(masterKey, tables, factor)
  return step !== undefined && takeStep(tx.db, tables, factor.person.id, step)
}

/** The 30-second step of a code, if it is close to now. */
function stepOf(
  masterKey: MasterKey,
  tables: SignInTables,
  { person, code, now }: SecondFactor & { now: number },
): number | undefined {
  if (person.totp_secret_sealed === null) return undefined
  return matchingStep(masterKey.open(person.totp_secret_sealed, placeOf(tables, person.id)), code.trim(), now)
}

/**
 * Codes have 80 random bits, so a plain hash cannot be brute-forced. Case, hyphens and digits that look like letters do
 * not matter.
 */
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

/** A sign-in waiting for its second factor; returns the token that completes it and is useless otherwise. */
export async function startPendingSignIn(
  tx: Tx,
  { tables }: SignInKind,
  { personId, rememberMe, now }: { personId: string; rememberMe: boolean; now: number },
): Promise<string> {
  const token = newSessionToken()
  await insertPending(tx.db, tables, {
    token_hash: sessionHash(token),
    person_id: personId,
    remember_me: rememberMe ? 1 : 0,
    expires_at: now + pendingSeconds,
  })
  return token
}

/** A pending sign-in of any kind that is still valid. */
export async function findPendingSignIn(
  services: Services,
  token: string,
  now: number,
): Promise<{ kind: SignInKind; pending: PendingSignIn } | undefined> {
  for (const kind of signInKinds(services)) {
    const pending = await findPending(services.db.read, kind.tables, sessionHash(token), now)
    if (pending) return { kind, pending }
  }
  return undefined
}
