import type { Services } from '#server/services.ts'
import { fileStore } from './download-files.ts'
import { removeDeletedFiles } from './file-cleanup.ts'
import { Removals } from './removals.ts'

/** Deletes in the background the bytes of files that were deleted for good; failures are left to the cleanup. */
export function removeDeletedBytes(services: Services): void {
  const removals = new Removals(fileStore(services))
  void removeDeletedFiles(services, removals)
    .then(() => removals.end())
    .catch((error: unknown) => services.log.error({ err: error }, 'could not remove deleted files'))
}
