import { callError, reject } from '#contract/errors.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { maxFileBytes } from '#server/http/request-size.ts'
import type { UploadForm } from '#server/http/upload-form.ts'
import { randomText } from '#server/secrets/random-text.ts'
import type { Services } from '#server/services.ts'
import { fileStore, rejectionOfStore, removeFile } from './download-files.ts'
import { scanUpload } from './download-scans.ts'
import { cancelUpload, extendReservation, finishUpload, recordInfected, reserveStorage } from './downloads.actions.ts'
import type { Download, StorageQuota } from './downloads.reads.ts'
import { downloadsErrors } from './downloads.errors.ts'
import { fileSizeProblem, nameOfFile } from './downloads.rules.ts'
import { FileTooLarge, type ReserveBytes, StoreFull } from './file-store.ts'

const idLength = 22
const maxFileNameLength = 255

/** Fields of the form besides the file. */
interface UploadFields {
  name?: string | undefined
  description?: string | undefined
  authenticated?: boolean | undefined
  complete?: boolean | undefined
}

interface ReceivedUpload {
  code: 'DOWNLOAD_UPLOAD_OK' | 'DOWNLOAD_UPLOAD_PENDING'
  download: Download
}

/** Stores the file of a form while it arrives, scans it, and adds it to the app; nothing is kept of a rejected one. */
export async function receiveUpload(
  context: AppContext & { services: Services },
  form: UploadForm<UploadFields>,
): Promise<ReceivedUpload> {
  const { services } = context
  const { db } = services
  const store = fileStore(services)
  const id = randomText(idLength)
  const announced = { id, announcedBytes: form.announcedBytes, maxFileBytes: await maxFileBytes(services) }
  const { maxBytes, quota, reserved } = await db.write((tx) => reserveStorage(tx, context, announced))
  const reserve = form.announcedBytes === undefined ? reserveBySteps(context, { ...announced, reserved }) : undefined
  try {
    const { fields, received } = await form.read(async ({ name, bytes }) => ({
      fileName: name.slice(0, maxFileNameLength).toWellFormed(),
      stored: await store.receive(id, bytes, maxBytes, { reserve, ownerId: context.app.ownerId }),
    }))
    if (!received || received.fileName === '') reject(downloadsErrors, 'DOWNLOAD_FILE_REQUIRED')
    const { name = nameOfFile(received.fileName), description = '', authenticated = false, complete = true } = fields
    const verdict = await scanUpload(services, id)
    if (verdict?.isClean === false) {
      const { fileName, stored } = received
      await db.write((tx) => recordInfected(tx, context, { name, fileName, sha256: stored.sha256, ...verdict }))
      reject(downloadsErrors, 'FILE_INFECTED', { values: { virus: verdict.virus } })
    }
    const isUnscanned = verdict === undefined
    const upload = { id, name, description, authenticated, isUnscanned, isComplete: complete, ...received }
    return receivedUpload(await db.write((tx) => finishUpload(tx, context, upload)))
  } catch (error) {
    const failure = rejectionOfStore(services, error) ?? explained(error, { maxBytes, quota })
    // The reply does not wait for the store, which may be unresponsive. If the database fails, the cleanup does this
    // later.
    const finished = await db
      .write((tx) => cancelUpload(tx, id, removeFile(services)))
      .catch((cause: unknown) => void services.log.error({ err: cause }, 'could not cancel an upload'))
    if (finished) return receivedUpload(finished)
    throw failure
  }
}

const receivedUpload = (download: Download): ReceivedUpload => ({
  code: download.unscanned_since === null ? 'DOWNLOAD_UPLOAD_OK' : 'DOWNLOAD_UPLOAD_PENDING',
  download,
})

/** For uploads of unknown length. */
function reserveBySteps(
  context: AppContext & { services: Services },
  first: { id: string; maxFileBytes: number; reserved: number },
): ReserveBytes {
  const { db } = context.services
  const { id, maxFileBytes: max } = first
  let { reserved } = first
  return async (bytes) => {
    const more = { id, bytes, maxFileBytes: max }
    if (bytes > reserved) reserved = await db.write((tx) => extendReservation(tx, context, more))
    return reserved
  }
}

function explained(error: unknown, { maxBytes, quota }: { maxBytes: number; quota: StorageQuota }): unknown {
  if (error instanceof StoreFull) return callError(downloadsErrors, 'STORAGE_FULL')
  if (!(error instanceof FileTooLarge)) return error
  const { code, values } = fileSizeProblem(maxBytes + 1, quota) ?? { code: 'FILE_TOO_LARGE', values: {} }
  return callError(downloadsErrors, code, { values })
}
