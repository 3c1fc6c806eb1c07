import { rmSync } from 'node:fs'
import type { Database, Reader } from '#database/database.ts'
import { findInstallation, readInstallation, recordMasterKeyCheck } from './installation.ts'
import { MasterKey, masterKeyMissing, masterKeyWrong } from './master-key.ts'

/** Something in the database that was sealed with a master key, or signed by one derived from it. */
export interface SealedValue {
  isSealedBy(masterKey: MasterKey): boolean
}

interface KeyOptions {
  db: Database
  file: string
  /** Features that seal values provide a way to check whether a key opens them. */
  features: readonly { sealedValue?: (db: Reader) => Promise<SealedValue | undefined> }[]
}

/**
 * Reads the master key of a database from its file. A key file is created only for a database that was never sealed:
 * with a wrong key, the server would run but no app could sign. Throws `MasterKeyInvalid`.
 */
export async function openMasterKey({ db, file, features }: KeyOptions): Promise<MasterKey> {
  const { masterKeyCheck } = await readInstallation(db)
  if (masterKeyCheck !== null) return matching(MasterKey.read(file), masterKeyCheck, file)
  // Never sealed, or sealed by a version that stored no check value: then the key must open the existing values.
  const sealed = await findSealedValue(db.read, features)
  const isNew = !sealed && MasterKey.create(file)
  const masterKey = MasterKey.read(file)
  if (sealed && !sealed.isSealedBy(masterKey)) throw masterKeyWrong(file)
  const recorded = await recordMasterKeyCheck(db, masterKey.checkValue)
  if (recorded === masterKey.checkValue) return masterKey
  // Another server with its own key file was first: this new key has sealed nothing.
  if (!isNew) throw masterKeyWrong(file)
  rmSync(file)
  throw masterKeyMissing(file)
}

/**
 * Throws `MasterKeyInvalid` if the key does not belong to the database, as far as the database can tell. For commands,
 * which store nothing.
 */
export async function requireMasterKeyOf(db: Reader, masterKey: MasterKey, file: string): Promise<void> {
  const installation = await findInstallation(db)
  if (installation && installation.masterKeyCheck !== null) matching(masterKey, installation.masterKeyCheck, file)
}

function matching(masterKey: MasterKey, checkValue: string, file: string): MasterKey {
  if (masterKey.checkValue !== checkValue) throw masterKeyWrong(file)
  return masterKey
}

async function findSealedValue(db: Reader, features: KeyOptions['features']): Promise<SealedValue | undefined> {
  for (const { sealedValue } of features) {
    const sealed = await sealedValue?.(db)
    if (sealed) return sealed
  }
  return undefined
}
