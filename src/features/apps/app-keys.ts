import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { announceRootKey, certificateText, issueCertificate } from '#protocol/key-certificate.ts'
import { rawPublicKey } from '#protocol/raw-keys.ts'
import type { Reader } from '#database/database.ts'
import type { SealedValue } from '#server/secrets/open-master-key.ts'
import type { MasterKey } from '#server/secrets/master-key.ts'
import { randomText } from '#server/secrets/random-text.ts'
import { findOldestApp } from './apps.reads.ts'

/** Lifetime of a signing key in seconds; it is renewed when half of it is left. */
export const signingKeySeconds = 60 * 86_400
const clockSlackSeconds = 300

const placeOf = (appId: string, column: string) => `apps|${column}|${appId}`
const signingKeyContext = (appId: string, kid: string) => `app_signing_keys|private_sealed|${appId}|${kid}`

/** The initial keys of an app; private keys are sealed. */
export function newAppKeys(masterKey: MasterKey, appId: string) {
  const { columns, rootKey } = newProgramKeys(masterKey, appId)
  const pepper = masterKey.seal(randomBytes(32), placeOf(appId, 'hwid_pepper_sealed'))
  return { columns: { ...columns, hwid_pepper_sealed: pepper }, rootKey }
}

/** The keys whose public halves programs contain. */
function newProgramKeys(masterKey: MasterKey, appId: string) {
  const root = generateKeyPairSync('ed25519')
  const box = generateKeyPairSync('x25519')
  return {
    columns: {
      root_public_key: rawPublicKey(root.publicKey),
      root_private_sealed: sealPrivate(masterKey, root.privateKey, placeOf(appId, 'root_private_sealed')),
      box_public_key: rawPublicKey(box.publicKey),
      box_private_sealed: sealPrivate(masterKey, box.privateKey, placeOf(appId, 'box_private_sealed')),
    },
    rootKey: root.privateKey,
  }
}

/** Keys in place of an app's own, announced by its root key. */
export function replacementKeys(masterKey: MasterKey, app: { id: string; root_private_sealed: string }) {
  const keys = newProgramKeys(masterKey, app.id)
  return { ...keys, announcement: announceRootKey(openRootKey(masterKey, app), keys.rootKey) }
}

/** The key of the oldest app: if a database has been used with several master keys, the first one is its own. */
export async function findSealedRootKey(db: Reader): Promise<SealedValue | undefined> {
  const app = await findOldestApp(db)
  return app && { isSealedBy: (masterKey) => opens(() => openRootKey(masterKey, app)) }
}

function opens(open: () => unknown): boolean {
  try {
    open()
    return true
  } catch {
    return false
  }
}

interface NewSigningKey {
  appId: string
  rootKey: KeyObject
  /** Of the root keys before, the oldest first. */
  announcements?: readonly string[]
  serial: number
  /** Epoch seconds. */
  now: number
}

/** The next signing key of an app, certified by its root key. */
export function newSigningKey(
  masterKey: MasterKey,
  { appId, rootKey, announcements = [], serial, now }: NewSigningKey,
) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const kid = randomText(12)
  const period = { notBefore: now - clockSlackSeconds, notAfter: now + signingKeySeconds }
  return {
    app_id: appId,
    kid,
    serial,
    private_sealed: sealPrivate(masterKey, privateKey, signingKeyContext(appId, kid)),
    certificate: certificateText(announcements, issueCertificate({ rootKey, kid, publicKey, serial, ...period })),
    not_before: period.notBefore,
    not_after: period.notAfter,
  }
}

export const openRootKey = (masterKey: MasterKey, app: { id: string; root_private_sealed: string }): KeyObject =>
  openPrivate(masterKey, app.root_private_sealed, placeOf(app.id, 'root_private_sealed'))

/** The app's own key, or one that it had before. */
export const openBoxKey = (masterKey: MasterKey, appId: string, keys: { box_private_sealed: string }): KeyObject =>
  openPrivate(masterKey, keys.box_private_sealed, placeOf(appId, 'box_private_sealed'))

export const openHwidPepper = (masterKey: MasterKey, app: { id: string; hwid_pepper_sealed: string }): Buffer =>
  masterKey.open(app.hwid_pepper_sealed, placeOf(app.id, 'hwid_pepper_sealed'))

export const openSigningKey = (
  masterKey: MasterKey,
  key: { app_id: string; kid: string; private_sealed: string },
): KeyObject => openPrivate(masterKey, key.private_sealed, signingKeyContext(key.app_id, key.kid))

function sealPrivate(masterKey: MasterKey, key: KeyObject, context: string): string {
  return masterKey.seal(key.export({ format: 'der', type: 'pkcs8' }), context)
}

function openPrivate(masterKey: MasterKey, sealed: string, context: string): KeyObject {
  return createPrivateKey({ key: masterKey.open(sealed, context), format: 'der', type: 'pkcs8' })
}
