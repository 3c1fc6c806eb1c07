import { endpoint } from '#server/http/endpoint.ts'
import { toggleDownload as toggleDownloadAction } from '../downloads.actions.ts'
import { downloadsContract } from '../downloads.contract.ts'

export const toggleDownload = endpoint(downloadsContract.toggleDownload, {
  write: async (tx, context) => {
    const active = await toggleDownloadAction(tx, context, context.params.name, context.body.active)
    return { code: active ? 'DOWNLOAD_ENABLE_OK' : 'DOWNLOAD_DISABLE_OK', active }
  },
})
