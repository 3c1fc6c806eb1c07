import { endpoint } from '#server/http/endpoint.ts'
import { deleteApp as deleteAppAction } from '../apps.actions.ts'
import { appsContract } from '../apps.contract.ts'
import { purgeDeletedApps } from '../apps.purge.ts'

export const deleteApp = endpoint(appsContract.deleteApp, {
  write: async (tx, context) => {
    await deleteAppAction(tx, context)
    tx.afterCommit(() => void purgeDeletedApps(context.services))
    return { code: 'APP_DELETE_OK' }
  },
})
