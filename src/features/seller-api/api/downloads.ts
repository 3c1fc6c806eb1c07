import { reject } from '#contract/errors.ts'
import type { Reader } from '#database/database.ts'
import { removeFile } from '#features/downloads/download-files.ts'
import { deleteDownload, toggleDownload, updateDownload } from '#features/downloads/downloads.actions.ts'
import { downloadsErrors } from '#features/downloads/downloads.errors.ts'
import { findDownload, listDownloads, storageQuotaAndBin } from '#features/downloads/downloads.reads.ts'
import { downloadReply } from '#features/downloads/downloads.reply.ts'
import { receiveUpload } from '#features/downloads/receive-upload.ts'
import { type Endpoint, endpoint } from '#server/http/endpoint.ts'
import { maxFileBytes } from '#server/http/request-size.ts'
import { sellerDownloadsContract as contract } from '../seller-downloads.contract.ts'

export const downloadCalls: readonly Endpoint[] = [
  endpoint(contract.listDownloads, {
    read: async ({ services, app, now }) => ({
      downloads: (await listDownloads(services.db.reports, app.id)).map(downloadReply),
      quota: await storageQuotaAndBin(services.db.reports, app, { now, maxFileBytes: await maxFileBytes(services) }),
    }),
  }),
  endpoint(contract.getDownload, {
    read: async ({ services: { db }, app, params }) => ({ download: await described(db.read, app.id, params.name) }),
  }),
  endpoint(contract.uploadDownload, {
    receive: async (context, form) => {
      const { code, download } = await receiveUpload(context, form)
      return { code, download: downloadReply(download) }
    },
  }),
  endpoint(contract.updateDownload, {
    write: async (tx, context) => {
      const download = await updateDownload(tx, context, context.params.name, context.body)
      return { code: 'DOWNLOAD_UPDATE_OK', download: downloadReply(download) }
    },
  }),
  endpoint(contract.enableDownload, {
    write: async (tx, context) => {
      const { app, params } = context
      await toggleDownload(tx, context, params.name, true)
      return { code: 'DOWNLOAD_ENABLE_OK', download: await described(tx.db, app.id, params.name) }
    },
  }),
  endpoint(contract.disableDownload, {
    write: async (tx, context) => {
      const { app, params } = context
      await toggleDownload(tx, context, params.name, false)
      return { code: 'DOWNLOAD_DISABLE_OK', download: await described(tx.db, app.id, params.name) }
    },
  }),
  endpoint(contract.deleteDownload, {
    write: async (tx, context) => {
      await deleteDownload(tx, context, context.params.name, removeFile(context.services))
      return { code: 'DOWNLOAD_DELETE_OK' }
    },
  }),
]

async function described(db: Reader, appId: string, name: string) {
  return downloadReply((await findDownload(db, appId, name)) ?? reject(downloadsErrors, 'DOWNLOAD_NOT_FOUND'))
}
