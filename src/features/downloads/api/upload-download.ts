import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { downloadsContract } from '../downloads.contract.ts'
import { downloadReply } from '../downloads.reply.ts'
import { receiveUpload } from '../receive-upload.ts'

const call = downloadsContract.uploadDownload

export const uploadDownload = endpoint(call, {
  receive: async (context, form) => {
    const { code, download } = await receiveUpload(context, form)
    return { ...done(call, code), download: downloadReply(download) }
  },
})
