import type { KeyObject } from 'node:crypto'
import { reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { maxAnnouncements } from '#protocol/key-certificate.ts'
import { type AccountContext, type AppContext, recordAudit } from '#server/audit/audit.ts'
import type { MasterKey } from '#server/secrets/master-key.ts'
import { newSigningKey, openRootKey, replacementKeys } from './app-keys.ts'
import { appsErrors } from './apps.errors.ts'
import { type App, findHighestSerial, listReplacedKeys } from './apps.reads.ts'
import {
  deleteReplacedKeys,
  deleteSigningKeys,
  insertReplacedKeys,
  insertSigningKey,
  lockOwnApp,
  updateAppRow,
} from './apps.writes.ts'

type KeysContext = AccountContext & AppContext & { services: { masterKey: MasterKey } }

/**
 * New keys for the programs of an app. Programs that contain the keys of before keep working: the old root key
 * announces the new one, once, and its private half is then gone.
 */
export async function replaceAppKeys(tx: Tx, context: KeysContext): Promise<App> {
  const { now } = context
  const { masterKey } = context.services
  const app = await lockApp(tx, context)
  const replaced = await listReplacedKeys(tx.db, app.id)
  if (replaced.length >= maxAnnouncements)
    reject(appsErrors, 'REPLACED_KEYS_LIMIT', { values: { max: maxAnnouncements } })
  const { columns, rootKey, announcement } = replacementKeys(masterKey, app)
  await insertReplacedKeys(tx.db, {
    app_id: app.id,
    number: (replaced.at(-1)?.number ?? 0) + 1,
    root_public_key: app.root_public_key,
    announcement,
    box_public_key: app.box_public_key,
    box_private_sealed: app.box_private_sealed,
    replaced_at: now,
  })
  const updated = (await updateAppRow(tx.db, app.id, columns)) ?? reject(appsErrors, 'APP_NOT_FOUND')
  await replaceSigningKeys(tx, updated, { masterKey, rootKey, now })
  await recordAudit(tx, context, { act: 'app.replace-keys', target: app.id, details: { name: app.name } })
  return updated
}

/** Rejects programs that contain earlier keys from now on. Returns how many pairs of keys that were. */
export async function retireReplacedKeys(tx: Tx, context: KeysContext): Promise<number> {
  const { masterKey } = context.services
  const app = await lockApp(tx, context)
  const { length: count } = await listReplacedKeys(tx.db, app.id)
  if (count === 0) reject(appsErrors, 'NO_REPLACED_KEYS')
  await deleteReplacedKeys(tx.db, app.id)
  await replaceSigningKeys(tx, app, { masterKey, rootKey: openRootKey(masterKey, app), now: context.now })
  await recordAudit(tx, context, { act: 'app.retire-keys', target: app.id, details: { name: app.name, count } })
  return count
}

const lockApp = async (tx: Tx, { actor, app }: KeysContext): Promise<App> =>
  (await lockOwnApp(tx.db, actor.id, app.id)) ?? reject(appsErrors, 'APP_NOT_FOUND')

interface Certifier {
  masterKey: MasterKey
  rootKey: KeyObject
  /** Epoch seconds. */
  now: number
}

/** The keys of before carry a certificate that no longer holds. */
async function replaceSigningKeys(tx: Tx, app: App, certifier: Certifier): Promise<void> {
  const highest = await findHighestSerial(tx.db, app.id)
  await deleteSigningKeys(tx.db, app.id)
  await addSigningKey(tx, app, certifier, highest)
  tx.publish(`app:${app.id}`)
}

/** Adds a signing key after the one with the highest serial. The app is locked. */
export async function addSigningKey(
  tx: Tx,
  { id: appId }: App,
  { masterKey, rootKey, now }: Certifier,
  highest?: number,
): Promise<void> {
  const serial = (highest ?? (await findHighestSerial(tx.db, appId))) + 1
  const announcements = (await listReplacedKeys(tx.db, appId)).map(({ announcement }) => announcement)
  await insertSigningKey(tx.db, newSigningKey(masterKey, { appId, rootKey, announcements, serial, now }))
}
