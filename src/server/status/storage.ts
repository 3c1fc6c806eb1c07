import { statfs } from 'node:fs/promises'
import { MasterKey } from '../secrets/master-key.ts'
import type { Services } from '../services.ts'

/** Disk of `DATA_DIR`, which holds the SQLite file, uploaded files and backups; not that of PostgreSQL. */
export async function diskSpace({ config }: Pick<Services, 'config'>): Promise<{ freeBytes: number; bytes: number }> {
  const { bavail, blocks, bsize } = await statfs(config.dataDir)
  return { freeBytes: bavail * bsize, bytes: blocks * bsize }
}

/** Whether the file still holds the key of this process: the next start and each backup need it. */
export function keyFileIsIntact({ config, masterKey }: Pick<Services, 'config' | 'masterKey'>): boolean {
  const purpose = 'comparison with the key file'
  try {
    return MasterKey.read(config.masterKeyFile).derive(purpose).equals(masterKey.derive(purpose))
  } catch {
    return false
  }
}
