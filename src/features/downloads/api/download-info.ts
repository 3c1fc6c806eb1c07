import { reject } from '#contract/errors.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { limitPublicDownloads } from '../download-files.ts'
import { downloadsContract } from '../downloads.contract.ts'
import { findPublicDownload } from '../downloads.reads.ts'
import { downloadsErrors } from '../downloads.errors.ts'
import { downloadReply } from '../downloads.reply.ts'

export const downloadInfo = endpoint(downloadsContract.downloadInfo, {
  read: async ({ services, params, caller }) => {
    limitPublicDownloads(services, caller.ip)
    const file = await findPublicDownload(services.db.read, params.id)
    const { name, description, fileName, fileSize, sha256, authenticated, createdAt } = downloadReply(
      file ?? reject(downloadsErrors, 'DOWNLOAD_NOT_FOUND'),
    )
    return { name, description, fileName, fileSize, sha256, authenticated, createdAt }
  },
})
