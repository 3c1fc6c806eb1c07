import { join } from 'node:path'
import { type CallError, callError } from '#contract/errors.ts'
import type { Config } from '#server/config.ts'
import { readInstallation } from '#server/installation.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { Services } from '#server/services.ts'
import { diskStore } from './disk-store.ts'
import { downloadsErrors } from './downloads.errors.ts'
import { forgetDeletedFiles } from './downloads.writes.ts'
import { FileMissing, type FileStore, StoreUnavailable } from './file-store.ts'
import { s3Store } from './s3-store.ts'

/** Where the files of a database are on the disk; without an id, where versions before had those of any. */
export const filesFolder = (dataDir: string, databaseId: string | undefined): string =>
  join(dataDir, 'files', databaseId ?? '')

/**
 * In a bucket, if there is one in the settings, or else on the disk. Each database has a folder or prefix of its own,
 * named by its id, so that no cleanup ever sees another one's files; one without an id has those of before.
 */
export const openFileStore = (
  { dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>,
  databaseId: string | undefined,
): FileStore => (s3 ? s3Store(s3, databaseId) : diskStore(filesFolder(dataDir, undefined), databaseId))

const stores = new WeakMap<Services, FileStore>()

/** At the start of a server, because the place of its files depends on its database. */
export async function startFileStore(services: Services): Promise<void> {
  const { id } = await readInstallation(services.db)
  stores.set(services, openFileStore(services.config, id))
}

/** Where the files of this server are. */
export function fileStore(services: Services): FileStore {
  const store = stores.get(services)
  if (!store) throw new Error('The store of files is not started')
  return store
}

/** Removes the bytes of a file whose row is deleted, in the background; what fails is done by the cleanup. */
export const removeFile =
  (services: Services) =>
  (id: string): void =>
    void fileStore(services)
      .remove(id)
      .then(() => services.db.write((tx) => forgetDeletedFiles(tx.db, [id])))
      .catch((error: unknown) => services.log.error({ err: error }, 'could not remove a file'))

const retryAfterSeconds = 10

/** What a caller hears of an error of the store; of another one undefined. The log has the cause. */
export function rejectionOfStore({ log }: Services, error: unknown): CallError | undefined {
  if (!(error instanceof StoreUnavailable || error instanceof FileMissing)) return undefined
  log.error({ err: error }, 'the file storage cannot be reached')
  return callError(downloadsErrors, 'FILES_UNAVAILABLE', { details: { retryAfterSeconds } })
}

/** Many customers share one network, so it is no tight limit. */
export function limitPublicDownloads({ rateLimits, config, clock }: Services, ip: string): void {
  const max = config.limits.programStartsPerMinute
  rateLimits.take({ purpose: 'public download', subject: networkOf(ip), max, seconds: 60 }, clock())
}
