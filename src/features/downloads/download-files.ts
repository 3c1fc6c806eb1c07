import { join } from 'node:path'
import { type CallError, callError } from '#contract/errors.ts'
import type { Config } from '#server/config/config.ts'
import { readInstallation } from '#server/secrets/installation.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { Services } from '#server/services.ts'
import { diskStore } from './disk-store.ts'
import { downloadsErrors } from './downloads.errors.ts'
import { forgetDeletedFiles } from './downloads.writes.ts'
import { FileMissing, type FileStore, StoreUnavailable } from './file-store.ts'
import { s3Store } from './s3-store.ts'

/** Folder of the files of a database; without an ID, the folder earlier versions used for all databases. */
export const filesFolder = (dataDir: string, databaseId: string | undefined): string =>
  join(dataDir, 'files', databaseId ?? '')

/**
 * In the configured bucket, otherwise on disk. Each database has a folder or prefix named by its ID, so that no cleanup
 * sees the files of another database; a database without an ID uses the earlier one.
 */
export const openFileStore = (
  { dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>,
  databaseId: string | undefined,
): FileStore => (s3 ? s3Store(s3, databaseId) : diskStore(filesFolder(dataDir, undefined), databaseId))

const stores = new WeakMap<Services, FileStore>()

/** At the start of a server, because the location of its files depends on its database. */
export async function startFileStore(services: Services): Promise<void> {
  const { id } = await readInstallation(services.db)
  stores.set(services, openFileStore(services.config, id))
}

/** Storage of this server's files. */
export function fileStore(services: Services): FileStore {
  const store = stores.get(services)
  if (!store) throw new Error('The store of files is not started')
  return store
}

/** Deletes the bytes of a file without a row in the background; failures are left to the cleanup. */
export const removeFile =
  (services: Services) =>
  (id: string): void =>
    void fileStore(services)
      .remove(id)
      .then(() => services.db.write((tx) => forgetDeletedFiles(tx.db, [id])))
      .catch((error: unknown) => services.log.error({ err: error }, 'could not remove a file'))

const retryAfterSeconds = 10

/** Error reply for a failure of the store; undefined for other errors. The log has the cause. */
export function rejectionOfStore({ log }: Services, error: unknown): CallError | undefined {
  if (!(error instanceof StoreUnavailable || error instanceof FileMissing)) return undefined
  log.error({ err: error }, 'the file storage cannot be reached')
  return callError(downloadsErrors, 'FILES_UNAVAILABLE', { details: { retryAfterSeconds } })
}

/** A generous limit, because many customers may share one network. */
export function limitPublicDownloads({ rateLimits, config, clock }: Services, ip: string): void {
  const max = config.limits.programStartsPerMinute
  rateLimits.take({ purpose: 'public download', subject: networkOf(ip), max, seconds: 60 }, clock())
}
