import { endpoint } from '#server/http/endpoint.ts'
import { removeFile } from '../download-files.ts'
import { deleteDownload as deleteDownloadAction } from '../downloads.actions.ts'
import { downloadsContract } from '../downloads.contract.ts'

export const deleteDownload = endpoint(downloadsContract.deleteDownload, {
  write: async (tx, context) => {
    const undoId = await deleteDownloadAction(tx, context, context.params.name, removeFile(context.services))
    return { code: 'DOWNLOAD_DELETE_OK', undoId }
  },
})
