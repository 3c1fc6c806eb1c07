import { reject } from '#contract/errors.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { maxFileBytes } from '#server/http/request-size.ts'
import { limitPublicDownloads, removeFile } from '../download-files.ts'
import { deleteDownload, toggleDownload, updateDownload } from '../downloads.actions.ts'
import { downloadsContract as contract } from '../downloads.contract.ts'
import { downloadsErrors } from '../downloads.errors.ts'
import {
  countAddresses,
  countCountries,
  findDownload,
  findPublicDownload,
  listDownloads,
  storageQuotaAndBin,
} from '../downloads.reads.ts'
import { downloadReply } from '../downloads.reply.ts'
import { megabytes } from '../downloads.rules.ts'
import { receiveUpload } from '../receive-upload.ts'

export const downloadCalls: readonly Endpoint[] = [
  endpoint(contract.listDownloads, {
    read: async ({ services, app, now }) => {
      const { db } = services
      const downloads = (await listDownloads(db.reports, app.id)).map(downloadReply)
      const sum = (of: (file: (typeof downloads)[number]) => number) =>
        downloads.reduce((all, file) => all + of(file), 0)
      const authenticated = sum((file) => (file.authenticated ? 1 : 0))
      return {
        downloads,
        stats: {
          total_files: downloads.length,
          total_download_count: sum(({ downloadCount }) => downloadCount),
          total_storage_mb: megabytes(sum(({ fileSize }) => fileSize)),
          public_count: downloads.length - authenticated,
          authenticated_count: authenticated,
        },
        quota: await storageQuotaAndBin(db.reports, app, { now, maxFileBytes: await maxFileBytes(services) }),
      }
    },
  }),
  endpoint(contract.downloadStatistics, {
    read: async ({ services: { db, ipData }, app, params }) => {
      const file = (await findDownload(db.read, app.id, params.name)) ?? reject(downloadsErrors, 'DOWNLOAD_NOT_FOUND')
      const ofFile = { appId: app.id, downloadId: file.id }
      const total = Number(file.download_count)
      const authenticated = Number(file.authenticated_count)
      return {
        stats: {
          total_downloads: total,
          authenticated_downloads: authenticated,
          anonymous_downloads: total - authenticated,
          unique_ips: await countAddresses(db.reports, ofFile),
          countries: Object.fromEntries(await countCountries(db.reports, ofFile)),
        },
        countryData: ipData.status().country,
      }
    },
  }),
  endpoint(contract.downloadInfo, {
    read: async ({ services, params, caller }) => {
      limitPublicDownloads(services, caller.ip)
      const file = await findPublicDownload(services.db.read, params.id)
      const { name, description, fileName, fileSize, sha256, authenticated, createdAt } = downloadReply(
        file ?? reject(downloadsErrors, 'DOWNLOAD_NOT_FOUND'),
      )
      return { name, description, fileName, fileSize, sha256, authenticated, createdAt }
    },
  }),
  endpoint(contract.uploadDownload, {
    receive: async (context, form) => {
      const { code, download } = await receiveUpload(context, form)
      return { code, download: downloadReply(download) }
    },
  }),
  endpoint(contract.updateDownload, {
    write: async (tx, context) => {
      const { name, description, authenticated, complete, before } = context.body
      const change = { name, description, authenticated, complete, before }
      const download = await updateDownload(tx, context, context.params.name, change)
      return { code: 'DOWNLOAD_UPDATE_OK', download: downloadReply(download) }
    },
  }),
  endpoint(contract.toggleDownload, {
    write: async (tx, context) => {
      const active = await toggleDownload(tx, context, context.params.name, context.body.active)
      return { code: active ? 'DOWNLOAD_ENABLE_OK' : 'DOWNLOAD_DISABLE_OK', active }
    },
  }),
  endpoint(contract.deleteDownload, {
    write: async (tx, context) => {
      const undoId = await deleteDownload(tx, context, context.params.name, removeFile(context.services))
      return { code: 'DOWNLOAD_DELETE_OK', undoId }
    },
  }),
]
