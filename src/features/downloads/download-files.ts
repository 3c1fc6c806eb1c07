import { join } from 'node:path'
import { networkOf } from '#server/rate-limits.ts'
import type { Services } from '#server/services.ts'
import { diskStore, type FileStore } from './file-store.ts'

const stores = new WeakMap<Services, FileStore>()

/** Where the bytes of files are, under the folder of the server's data. */
export const filesFolder = (dataDir: string): string => join(dataDir, 'files')

/** Where the files of this server are. */
export function fileStore(services: Services): FileStore {
  const existing = stores.get(services)
  if (existing) return existing
  const created = diskStore(filesFolder(services.config.dataDir))
  stores.set(services, created)
  return created
}

/** Removes the bytes of a file that has no row any more; what fails is done by the sweep. */
export const removeFile =
  (services: Services) =>
  (id: string): void =>
    void fileStore(services)
      .remove(id)
      .catch((error: unknown) => services.log.error({ err: error }, 'could not remove a file'))

/** Many customers share one network, so it is no tight limit. */
export function limitPublicDownloads({ rateLimits, config, clock }: Services, ip: string): void {
  const max = config.limits.programStartsPerMinute
  rateLimits.take({ purpose: 'public download', subject: networkOf(ip), max, seconds: 60 }, clock())
}
