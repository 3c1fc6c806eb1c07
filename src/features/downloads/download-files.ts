import { join } from 'node:path'
import { type CallRefused, refusalOf } from '#contract/refusals.ts'
import type { Config } from '#server/config.ts'
import { onePerServer } from '#server/one-per-server.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { Services } from '#server/services.ts'
import { diskStore } from './disk-store.ts'
import { downloadsRefusals } from './downloads.refusals.ts'
import { FileMissing, type FileStore, StoreUnavailable } from './file-store.ts'
import { s3Store } from './s3-store.ts'

/** Where the bytes of files are, under the folder of the server's data. */
export const filesFolder = (dataDir: string): string => join(dataDir, 'files')

/** In a bucket, if there is one in the settings, or else on the disk. */
export const openFileStore = ({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): FileStore =>
  s3 ? s3Store(s3) : diskStore(filesFolder(dataDir))

/** Where the files of this server are. */
export const fileStore = onePerServer(({ config }) => openFileStore(config))

/** Removes the bytes of a file that has no row any more; what fails is done by the sweep. */
export const removeFile =
  (services: Services) =>
  (id: string): void =>
    void fileStore(services)
      .remove(id)
      .catch((error: unknown) => services.log.error({ err: error }, 'could not remove a file'))

const retryAfterSeconds = 10

/** What a caller hears of an error of the store; of another one undefined. The log has the cause. */
export function refusalOfStore({ log }: Services, error: unknown): CallRefused | undefined {
  if (!(error instanceof StoreUnavailable || error instanceof FileMissing)) return undefined
  log.error({ err: error }, 'the files can not be reached')
  return refusalOf(downloadsRefusals, 'FILES_UNAVAILABLE', { details: { retryAfterSeconds } })
}

/** Many customers share one network, so it is no tight limit. */
export function limitPublicDownloads({ rateLimits, config, clock }: Services, ip: string): void {
  const max = config.limits.programStartsPerMinute
  rateLimits.take({ purpose: 'public download', subject: networkOf(ip), max, seconds: 60 }, clock())
}
