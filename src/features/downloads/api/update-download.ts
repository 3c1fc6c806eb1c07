import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { updateDownload as updateDownloadAction } from '../downloads.actions.ts'
import { downloadsContract } from '../downloads.contract.ts'
import { downloadReply } from '../downloads.reply.ts'

const call = downloadsContract.updateDownload

export const updateDownload = endpoint(call, {
  write: async (tx, context) => {
    const { name, description, authenticated, complete, before } = context.body
    const change = { name, description, authenticated, complete, before }
    const download = await updateDownloadAction(tx, context, context.params.name, change)
    return { ...done(call, 'DOWNLOAD_UPDATE_OK'), download: downloadReply(download) }
  },
})
