import { reject, rejectProblem } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { changeOf, changesOf } from '#server/audit/changes.ts'
import type { UndoActions } from '#server/bulk/undo.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import { newOperation, recordUndo, type RowStates } from '#server/bulk/undo-log.ts'
import { normalizeIpEntry } from './ip-list.ts'
import { idOfReference, isSecretOf, newKeyId, newSellerKeyText, parseSellerKey, publicForm } from './seller-key-text.ts'
import type { SellerKey } from './seller-keys.reads.ts'
import { sellerKeysErrors } from './seller-keys.errors.ts'
import { ipLines, keyNameProblem, maxIpEntries, permissionsProblem } from './seller-keys.rules.ts'
import { deleteKeys, insertKey, lockKeys, replaceSecret, setKeysActive, updateKey } from './seller-keys.writes.ts'

interface KeyFields {
  keyName?: string | undefined
  permissions?: readonly string[] | undefined
  /** A list, or a string with one entry per line. */
  whitelistedIPs?: string | readonly string[] | undefined
}

/** A key with its plain text, which is not stored. */
export interface ShownKey {
  key: SellerKey
  text: string
}

const secondsPerHour = 3600

export async function createSellerKey(
  tx: Tx,
  context: AppContext,
  fields: KeyFields & { keyName: string },
): Promise<ShownKey> {
  const { app, now } = context
  const { keyName, permissions = [], whitelistedIPs = [] } = checkedFields(fields)
  const id = newKeyId()
  const { text, secretHash, lastFour } = newSellerKeyText(id)
  const key = await insertKey(tx.db, {
    app_id: app.id,
    id,
    name: keyName as string,
    secret_hash: secretHash,
    last_four: lastFour,
    previous_hash: null,
    previous_until: null,
    scopes: JSON.stringify(permissions),
    ip_list: JSON.stringify(whitelistedIPs),
    created_at: now,
    last_used_at: null,
    last_used_ip: null,
    exposed_at: null,
  })
  await recordAudit(tx, context, { act: 'seller-key.create', target: publicForm(key), details: fieldsOf(key) })
  return { key, text }
}

interface KeyEdit {
  sellerKey: string
  change: KeyFields
  /** The changed fields' values that the caller last saw. */
  before?: { keyName?: string; permissions?: readonly string[]; whitelistedIPs?: readonly string[] } | undefined
}

/** Omitted fields keep their value; the key itself never changes. */
export async function updateSellerKey(
  tx: Tx,
  context: AppContext,
  { sellerKey, change, before }: KeyEdit,
): Promise<SellerKey> {
  const key = await lockSellerKey(tx, context, sellerKey)
  const checked = checkedFields(change)
  rejectFieldConflict({ before, change: checked }, fieldsOf(key))
  const columns = {
    ...(checked.keyName !== undefined && { name: checked.keyName }),
    ...(checked.permissions && { scopes: JSON.stringify(checked.permissions) }),
    ...(checked.whitelistedIPs && { ip_list: JSON.stringify(checked.whitelistedIPs) }),
  }
  const updated = Object.keys(columns).length > 0 ? await updateKey(tx.db, key.app_id, key.id, columns) : key
  if (!updated) return notFound()
  await recordAudit(tx, context, {
    act: 'seller-key.update',
    target: publicForm(key),
    details: fieldsOf(updated),
    changes: changesOf(fieldsOf(key), fieldsOf(updated)),
  })
  return updated
}

/** Pauses or activates a key, effective on its next call. */
export async function setSellerKeyActive(
  tx: Tx,
  context: AppContext,
  { sellerKey, active }: { sellerKey: string; active: boolean },
): Promise<void> {
  const key = await lockSellerKey(tx, context, sellerKey)
  await setKeysActive(tx.db, key.app_id, [key.id], active)
  const act = active ? 'seller-key.activate' : 'seller-key.pause'
  await recordAudit(tx, context, {
    act,
    target: publicForm(key),
    details: { keyName: key.name },
    changes: changeOf('active', key.active === 1, active),
  })
}

export async function deleteSellerKey(tx: Tx, context: AppContext, sellerKey: string): Promise<void> {
  const key = await lockSellerKey(tx, context, sellerKey)
  await deleteKeys(tx.db, key.app_id, [key.id])
  const details = { keyName: key.name }
  await recordAudit(tx, context, { act: 'seller-key.delete', target: publicForm(key), details })
}

/** Gives the key a new secret. The previous one works until the overlap ends; older ones stop working. */
export async function rotateSellerKey(
  tx: Tx,
  context: AppContext,
  { sellerKey, overlapHours }: { sellerKey: string; overlapHours: number },
): Promise<ShownKey> {
  const before = await lockSellerKey(tx, context, sellerKey)
  const { text, secretHash, lastFour } = newSellerKeyText(before.id)
  const previousUntil = overlapHours > 0 ? context.now + overlapHours * secondsPerHour : null
  const key = (await replaceSecret(tx.db, before, { secretHash, lastFour, previousUntil })) ?? notFound()
  const details = { keyName: key.name, before: publicForm(before), overlapHours }
  await recordAudit(tx, context, { act: 'seller-key.rotate', target: publicForm(key), details })
  return { key, text }
}

export type BulkKeyAction = 'pause' | 'activate' | 'delete'

interface KeyState {
  active: number
}

/** Result of one batch; pass `undoId` to the next batch, so that all batches undo together. */
interface KeyBatch {
  changed: SellerKey[]
  /** References without a matching key. */
  missing: string[]
  undoId: string | null
}

/** Applies the action to the keys that exist. Pausing and activating can be undone; deletion cannot. */
export async function actOnSellerKeys(
  tx: Tx,
  context: AppContext,
  { action, sellerKeys, undoId }: { action: BulkKeyAction; sellerKeys: readonly string[]; undoId: string | null },
): Promise<KeyBatch> {
  const found = await lockSellerKeys(tx, context, sellerKeys)
  // Two references can name the same key.
  const changed = [...new Map([...found.values()].map((key) => [key.id, key])).values()]
  const ids = changed.map(({ id }) => id)
  if (action === 'delete') await deleteKeys(tx.db, context.app.id, ids)
  else await setKeysActive(tx.db, context.app.id, ids, action === 'activate')
  const target = { noun: 'seller keys', names: changed.map(publicForm) }
  const newId = newOperation()
  const operations = action === 'delete' ? [] : [undoId ?? newId]
  await recordAudit(tx, context, { act: `seller-key.bulk-${action}`, target, operations })
  const missing = sellerKeys.filter((reference) => !found.has(reference))
  if (action === 'delete') return { changed, missing, undoId }
  const active = action === 'activate' ? 1 : 0
  const states = changed
    .filter((key) => key.active !== active)
    .map((key): RowStates<KeyState, string> => ({ id: key.id, before: { active: key.active }, after: { active } }))
  const act = `seller-key.bulk-${action}` as const
  return {
    changed,
    missing,
    undoId: await recordUndo(tx, context, { act, undoId: undoId ?? undefined, newId, states }),
  }
}

/** Undo for bulk pause and activation. */
export const undoKeyActions = ({ app: { id: appId } }: AppContext): UndoActions<KeyState, string> => ({
  events: ['seller-key.bulk-pause', 'seller-key.bulk-activate'],
  noun: 'seller keys',
  lock: async (tx, _act, ids) =>
    (await lockKeys(tx.db, appId, ids)).map((key) => ({ id: key.id, name: publicForm(key) })),
  async snapshot(tx, _act, recorded) {
    const keys = await lockKeys(
      tx.db,
      appId,
      recorded.map(({ id }) => id),
    )
    return new Map(keys.map(({ id, active }) => [id, { active }]))
  },
  async restore(tx, _act, states) {
    for (const active of [1, 0]) {
      const ids = states.filter(({ state }) => state.active === active).map(({ id }) => id)
      await setKeysActive(tx.db, appId, ids, active === 1)
    }
  },
})

/** Locks and returns the key, or rejects with `SELLER_KEY_NOT_FOUND`, also for keys of other apps. */
async function lockSellerKey(tx: Tx, context: AppContext, reference: string): Promise<SellerKey> {
  return (await lockSellerKeys(tx, context, [reference])).get(reference) ?? notFound()
}

/** Locks keys given by public form, ID or full text; returns those found, keyed by the given reference. */
async function lockSellerKeys(
  tx: Tx,
  { app, now }: AppContext,
  references: readonly string[],
): Promise<Map<string, SellerKey>> {
  const named = references.map((reference) => {
    const whole = parseSellerKey(reference.trim())
    return { reference, id: whole?.id ?? idOfReference(reference.trim()), secret: whole?.secret }
  })
  const ids = named.flatMap(({ id }) => (id === null ? [] : [id]))
  const keys = new Map((await lockKeys(tx.db, app.id, ids)).map((key) => [key.id, key]))
  return new Map(
    named.flatMap(({ reference, id, secret }) => {
      const key = id === null ? undefined : keys.get(id)
      return key && (secret === undefined || isSecretOf(key, secret, now)) ? [[reference, key]] : []
    }),
  )
}

function notFound(): never {
  return reject(sellerKeysErrors, 'SELLER_KEY_NOT_FOUND')
}

/** The editable fields of a key under their API names. */
const fieldsOf = (key: SellerKey) => ({
  keyName: key.name,
  permissions: JSON.parse(key.scopes) as string[],
  whitelistedIPs: JSON.parse(key.ip_list) as string[],
})

/** Validates the given fields and returns them as stored. */
function checkedFields({ keyName, permissions, whitelistedIPs }: KeyFields): Partial<ReturnType<typeof fieldsOf>> {
  if (keyName !== undefined) rejectProblem(sellerKeysErrors, keyNameProblem(keyName))
  if (permissions !== undefined) rejectProblem(sellerKeysErrors, permissionsProblem(permissions))
  return {
    ...(keyName !== undefined && { keyName: keyName.trim() }),
    ...(permissions !== undefined && { permissions: [...new Set(permissions)] }),
    ...(whitelistedIPs !== undefined && { whitelistedIPs: normalizedIps(whitelistedIPs) }),
  }
}

function normalizedIps(text: string | readonly string[]): string[] {
  const field = 'whitelistedIPs'
  const list = new Set<string>()
  for (const line of ipLines(text)) {
    const entry = normalizeIpEntry(line)
    if (entry === undefined) {
      rejectProblem(sellerKeysErrors, { code: 'IP_ENTRY_INVALID', values: { entry: line.slice(0, 60) }, field })
    } else list.add(entry)
  }
  if (list.size > maxIpEntries) {
    rejectProblem(sellerKeysErrors, { code: 'IP_LIST_TOO_LONG', values: { max: maxIpEntries }, field })
  }
  return [...list]
}
