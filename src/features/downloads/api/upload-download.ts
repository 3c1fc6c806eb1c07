import { done } from '#contract/define-call.ts'
import { refusalOf, refuse } from '#contract/refusals.ts'
import { endpoint } from '#server/endpoint.ts'
import { randomText } from '#server/random-text.ts'
import { fileStore, refusalOfStore } from '../download-files.ts'
import { scanUpload } from '../download-scans.ts'
import { cancelUpload, finishUpload, recordInfected, reserveStorage } from '../downloads.actions.ts'
import { downloadsContract } from '../downloads.contract.ts'
import type { StorageRoom } from '../downloads.reads.ts'
import { downloadsRefusals } from '../downloads.refusals.ts'
import { downloadReply } from '../downloads.reply.ts'
import { fileSizeProblem, nameOfFile } from '../downloads.rules.ts'
import { FileTooLarge, StoreFull } from '../file-store.ts'

const call = downloadsContract.uploadDownload
const idLength = 22
const maxFileNameLength = 255

export const uploadDownload = endpoint(call, {
  receive: async (context, form) => {
    const { services } = context
    const { db, config } = services
    const store = fileStore(services)
    const id = randomText(idLength)
    const announced = { id, announcedBytes: form.announcedBytes, maxFileBytes: config.maxUploadBytes }
    const { maxBytes, room } = await db.write((tx) => reserveStorage(tx, context, announced))
    try {
      const { fields, received } = await form.read(async ({ name, bytes }) => ({
        fileName: name.slice(0, maxFileNameLength).toWellFormed(),
        stored: await store.receive(id, bytes, maxBytes),
      }))
      if (!received || received.fileName === '') refuse(downloadsRefusals, 'DOWNLOAD_FILE_REQUIRED')
      const { name = nameOfFile(received.fileName), description = '', authenticated = false } = fields
      const verdict = await scanUpload(services, id)
      if (verdict?.isClean === false) {
        const { fileName, stored } = received
        await db.write((tx) => recordInfected(tx, context, { name, fileName, sha256: stored.sha256, ...verdict }))
        refuse(downloadsRefusals, 'FILE_INFECTED', { values: { virus: verdict.virus } })
      }
      const isUnscanned = verdict === undefined
      const upload = { id, name, description, authenticated, isUnscanned, ...received }
      const download = await db.write((tx) => finishUpload(tx, context, upload))
      const answer = done(call, isUnscanned ? 'DOWNLOAD_UPLOAD_PENDING' : 'DOWNLOAD_UPLOAD_OK')
      return { ...answer, download: downloadReply(download) }
    } catch (error) {
      // Bytes first: while the row is there nobody else is given their room.
      const failure = refusalOfStore(services, error) ?? explained(error, { maxBytes, room })
      // What can't be removed now is swept.
      await store.remove(id).catch((cause: unknown) => services.log.error({ err: cause }, 'could not remove a file'))
      await db.write((tx) => cancelUpload(tx, id))
      throw failure
    }
  },
})

function explained(error: unknown, { maxBytes, room }: { maxBytes: number; room: StorageRoom }): unknown {
  if (error instanceof StoreFull) return refusalOf(downloadsRefusals, 'STORAGE_FULL')
  if (!(error instanceof FileTooLarge)) return error
  const { code, values } = fileSizeProblem(maxBytes + 1, room) ?? { code: 'FILE_TOO_LARGE', values: {} }
  return refusalOf(downloadsRefusals, code, { values })
}
