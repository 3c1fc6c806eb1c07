import { refuse } from '#contract/refusals.ts'
import type { Reader, Tx } from '#database/database.ts'
import { normalizeIpEntry } from './ip-list.ts'
import { idOfReference, isSecretOf, newKeyId, newSellerKeyText, parseSellerKey } from './seller-key-text.ts'
import { findKey, type SellerKey } from './seller-keys.reads.ts'
import { sellerKeysRefusals } from './seller-keys.refusals.ts'
import { ipLines, keyNameProblem, maxIpEntries, unknownScope } from './seller-keys.rules.ts'
import { deleteKey, insertKey, replaceSecret, updateKey } from './seller-keys.writes.ts'

export type { SellerKey }

interface KeyFields {
  keyName?: string | undefined
  permissions?: readonly string[] | undefined
  whitelistedIPs?: string | readonly string[] | undefined
}

/** A key with its text, which is nowhere else. */
export interface ShownKey {
  key: SellerKey
  text: string
}

const secondsPerHour = 3600

export async function createSellerKey(
  tx: Tx,
  { appId, fields, now }: { appId: string; fields: KeyFields & { keyName: string }; now: number },
): Promise<ShownKey> {
  const columns = columnsOf(fields)
  const id = newKeyId()
  const { text, secretHash, lastFour } = newSellerKeyText(id)
  const key = await insertKey(tx.db, {
    app_id: appId,
    id,
    name: fields.keyName.trim(),
    secret_hash: secretHash,
    last_four: lastFour,
    previous_hash: null,
    previous_until: null,
    ...columns,
    created_at: now,
    last_used_at: null,
    last_used_ip: null,
    exposed_at: null,
  })
  return { key, text }
}

/** Changes what is given and nothing else; the key itself never changes (part 1 §5 Seller keys). */
export async function updateSellerKey(tx: Tx, key: SellerKey, fields: KeyFields): Promise<SellerKey> {
  const columns = columnsOf(fields)
  if (Object.keys(columns).length === 0) return key
  return (await updateKey(tx.db, key.app_id, key.id, columns)) ?? notFound()
}

export async function setSellerKeyActive(tx: Tx, key: SellerKey, active: boolean): Promise<void> {
  if (!(await updateKey(tx.db, key.app_id, key.id, { active: active ? 1 : 0 }))) notFound()
}

export async function deleteSellerKey(tx: Tx, key: SellerKey): Promise<void> {
  if (!(await deleteKey(tx.db, key.app_id, key.id))) notFound()
}

/** A new secret for the same key. The one before works until the overlap ends, any older one no more. */
export async function rotateSellerKey(
  tx: Tx,
  key: SellerKey,
  { overlapHours, now }: { overlapHours: number; now: number },
): Promise<ShownKey> {
  const { text, secretHash, lastFour } = newSellerKeyText(key.id)
  const previousUntil = overlapHours > 0 ? now + overlapHours * secondsPerHour : null
  const rotated = await replaceSecret(tx.db, key, { secretHash, lastFour, previousUntil })
  return { key: rotated ?? notFound(), text }
}

/** The key behind its public form, its id or its whole text; a foreign one is as missing as one that never was. */
export async function lockSellerKey(db: Reader, appId: string, reference: string, now: number): Promise<SellerKey> {
  return (await sellerKeyOf(db, appId, reference, now)) ?? notFound()
}

export async function sellerKeyOf(
  db: Reader,
  appId: string,
  reference: string,
  now: number,
): Promise<SellerKey | undefined> {
  const whole = parseSellerKey(reference.trim())
  const id = whole?.id ?? idOfReference(reference.trim())
  const key = id === null ? undefined : await findKey(db, appId, id)
  return key && whole && !isSecretOf(key, whole.secret, now) ? undefined : key
}

function notFound(): never {
  return refuse(sellerKeysRefusals, 'SELLER_KEY_NOT_FOUND')
}

/** Checked fields as columns; those left out have none. */
function columnsOf({ keyName, permissions, whitelistedIPs }: KeyFields): {
  name?: string
  scopes?: string
  ip_list?: string
} {
  const columns: { name?: string; scopes?: string; ip_list?: string } = {}
  if (keyName !== undefined) {
    const problem = keyNameProblem(keyName)
    if (problem) refuse(sellerKeysRefusals, 'SELLER_KEY_FORM_INVALID', { values: { problem } })
    columns.name = keyName.trim()
  }
  if (permissions !== undefined) {
    const scope = unknownScope(permissions)
    if (scope !== undefined) refuse(sellerKeysRefusals, 'SELLER_KEY_SCOPE_UNKNOWN', { values: { scope } })
    columns.scopes = JSON.stringify([...new Set(permissions)])
  }
  if (whitelistedIPs !== undefined) columns.ip_list = JSON.stringify(normalizedIps(whitelistedIPs))
  return columns
}

function normalizedIps(text: string | readonly string[]): string[] {
  const list = new Set(ipLines(text).map((line) => normalizeIpEntry(line) ?? invalidIp(line)))
  if (list.size <= maxIpEntries) return [...list]
  const problem = `The IP list can have at most ${maxIpEntries} entries`
  return refuse(sellerKeysRefusals, 'SELLER_KEY_IP_LIST_INVALID', { values: { problem } })
}

function invalidIp(line: string): never {
  const problem = `${line.slice(0, 60)} is not an IP address or a network such as 203.0.113.0/24`
  return refuse(sellerKeysRefusals, 'SELLER_KEY_IP_LIST_INVALID', { values: { problem } })
}
