import { endpoint } from '#server/http/endpoint.ts'
import { downloadsContract } from '../downloads.contract.ts'
import { downloadReply } from '../downloads.reply.ts'
import { receiveUpload } from '../receive-upload.ts'

export const uploadDownload = endpoint(downloadsContract.uploadDownload, {
  receive: async (context, form) => {
    const { code, download } = await receiveUpload(context, form)
    return { code, download: downloadReply(download) }
  },
})
