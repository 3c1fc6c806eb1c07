import { endpoint } from '#server/http/endpoint.ts'
import { updateDownload as updateDownloadAction } from '../downloads.actions.ts'
import { downloadsContract } from '../downloads.contract.ts'
import { downloadReply } from '../downloads.reply.ts'

export const updateDownload = endpoint(downloadsContract.updateDownload, {
  write: async (tx, context) => {
    const { name, description, authenticated, complete, before } = context.body
    const change = { name, description, authenticated, complete, before }
    const download = await updateDownloadAction(tx, context, context.params.name, change)
    return { code: 'DOWNLOAD_UPDATE_OK', download: downloadReply(download) }
  },
})
