import { endpoint } from '#server/http/endpoint.ts'
import { maxFileBytes } from '#server/http/request-size.ts'
import { downloadsContract } from '../downloads.contract.ts'
import { listDownloads as readDownloads, storageQuotaAndBin } from '../downloads.reads.ts'
import { downloadReply } from '../downloads.reply.ts'
import { megabytes } from '../downloads.rules.ts'

export const listDownloads = endpoint(downloadsContract.listDownloads, {
  read: async ({ services, app, now }) => {
    const { db } = services
    const downloads = (await readDownloads(db.reports, app.id)).map(downloadReply)
    const sum = (of: (file: (typeof downloads)[number]) => number) => downloads.reduce((all, file) => all + of(file), 0)
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
})
