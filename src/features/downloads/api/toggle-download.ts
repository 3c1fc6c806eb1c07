import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { toggleDownload as toggleDownloadAction } from '../downloads.actions.ts'
import { downloadsContract } from '../downloads.contract.ts'

const call = downloadsContract.toggleDownload

export const toggleDownload = endpoint(call, {
  write: async (tx, context) => {
    const active = await toggleDownloadAction(tx, context, context.params.name, context.body.active)
    return { ...done(call, active ? 'DOWNLOAD_ENABLE_OK' : 'DOWNLOAD_DISABLE_OK'), active }
  },
})
