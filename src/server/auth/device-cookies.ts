import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { MasterKey } from '../secrets/master-key.ts'

/**
 * Signed cookie with the accounts that have signed in from this browser: `id.time-signature.time-signature`. It grants no
 * access; it only marks the browser as a known device.
 */

export const deviceLifetimeSeconds = 180 * 86_400

/** The accounts this browser is known for, newest first. */
const maxAccounts = 5
const idBytes = 16
const signatureBytes = 16

const idShape = /^[\w-]{22}$/
const entryShape = /^([0-9a-z]{1,11})-([\w-]{22})$/

interface KnownAccount {
  accountId: string
  /** Epoch seconds: older entries are no longer valid. */
  since: number
  now: number
}

/** The device ID if this account has signed in from this browser; undefined for an unknown device. */
export function knownDevice(key: MasterKey, cookie: string | undefined, account: KnownAccount): string | undefined {
  const device = readDevice(cookie)
  const own = device?.entries.find((entry) => isOf(key, device.id, entry, account.accountId))
  if (!device || !own) return undefined
  const signedAt = timeOf(own)
  const isCurrent = signedAt >= account.since && account.now - signedAt < deviceLifetimeSeconds
  return isCurrent ? device.id : undefined
}

/** The next value of the cookie after the account has signed in. */
export function rememberAccount(
  key: MasterKey,
  cookie: string | undefined,
  { accountId, now }: Omit<KnownAccount, 'since'>,
): string {
  const device = readDevice(cookie) ?? { id: randomBytes(idBytes).toString('base64url'), entries: [] }
  const others = device.entries.filter((entry) => !isOf(key, device.id, entry, accountId))
  const time = now.toString(36)
  const entry = `${time}-${signatureOf(key, device.id, accountId, time).toString('base64url')}`
  return [device.id, entry, ...others.slice(0, maxAccounts - 1)].join('.')
}

interface Device {
  id: string
  entries: string[]
}

function readDevice(cookie: string | undefined): Device | undefined {
  const [id = '', ...entries] = (cookie ?? '').split('.', maxAccounts + 1)
  return idShape.test(id) ? { id, entries: entries.filter((entry) => entryShape.test(entry)) } : undefined
}

const timeOf = (entry: string): number => Number.parseInt(entry, 36)

function isOf(key: MasterKey, deviceId: string, entry: string, accountId: string): boolean {
  const [, time = '', signature = ''] = entryShape.exec(entry) ?? []
  const given = Buffer.from(signature, 'base64url')
  return given.length === signatureBytes && timingSafeEqual(given, signatureOf(key, deviceId, accountId, time))
}

const signatureOf = (key: MasterKey, deviceId: string, accountId: string, time: string): Buffer =>
  createHmac('sha256', key.macKey('known-device'))
    .update(`${deviceId}|${accountId}|${time}`)
    .digest()
    .subarray(0, signatureBytes)
