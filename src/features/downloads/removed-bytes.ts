import { epochSeconds, type Services } from '#server/services.ts'
import { fileStore } from './download-files.ts'
import { removeDeletedFiles } from './file-cleanup.ts'

/** Deletes in the background the bytes of files that were deleted for good; failures are left to the cleanup. */
export const removeDeletedBytes = (services: Services): void =>
  void removeDeletedFiles({
    db: services.db,
    log: services.log,
    store: fileStore(services),
    now: epochSeconds(services),
  }).catch((error: unknown) => services.log.error({ err: error }, 'could not remove deleted files'))
