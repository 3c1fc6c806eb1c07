import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { removeFile } from '../download-files.ts'
import { deleteDownload as deleteDownloadAction } from '../downloads.actions.ts'
import { downloadsContract } from '../downloads.contract.ts'

const call = downloadsContract.deleteDownload

export const deleteDownload = endpoint(call, {
  write: async (tx, context) => {
    const undoId = await deleteDownloadAction(tx, context, context.params.name, removeFile(context.services))
    return { ...done(call, 'DOWNLOAD_DELETE_OK'), undoId }
  },
})
