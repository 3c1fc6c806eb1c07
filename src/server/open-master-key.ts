import { rmSync } from 'node:fs'
import type { Database, Reader } from '#database/database.ts'
import type { Feature, SealedValue } from './http/endpoint.ts'
import { findInstallation, readInstallation, recordMasterKeyCheck } from './installation.ts'
import { MasterKey, masterKeyMissing, masterKeyWrong } from './master-key.ts'

interface KeyOptions {
  db: Database
  file: string
  /** Those that seal something say whether a key opens it. */
  features: readonly Pick<Feature, 'sealedValue'>[]
}

/**
 * The key of a database, from its file. A file is created only for a database that no key has sealed; every other one
 * needs its own key, because with another the server would run, and no app could sign. Throws `MasterKeyInvalid`.
 */
export async function openMasterKey({ db, file, features }: KeyOptions): Promise<MasterKey> {
  const { masterKeyCheck } = await readInstallation(db)
  if (masterKeyCheck !== null) return matching(MasterKey.read(file), masterKeyCheck, file)
  // Never sealed, or by a version that recorded no check value: then the key has to open what is there.
  const sealed = await findSealedValue(db.read, features)
  const isNew = !sealed && MasterKey.create(file)
  const masterKey = MasterKey.read(file)
  if (sealed && !sealed.isSealedBy(masterKey)) throw masterKeyWrong(file)
  const recorded = await recordMasterKeyCheck(db, masterKey.checkValue)
  if (recorded === masterKey.checkValue) return masterKey
  // Another server, with a key file of its own, was first: this new key has sealed nothing.
  if (!isNew) throw masterKeyWrong(file)
  rmSync(file)
  throw masterKeyMissing(file)
}

/** Throws `MasterKeyInvalid` unless the key is the database's, as far as the database knows. For commands, which record nothing. */
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
