import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteApp as deleteAppAction } from '../apps.actions.ts'
import { appsContract } from '../apps.contract.ts'
import { purgeDeletedApps } from '../apps.purge.ts'

const call = appsContract.deleteApp

export const deleteApp = endpoint(call, {
  write: async (tx, context) => {
    await deleteAppAction(tx, context)
    tx.afterCommit(() => void purgeDeletedApps(context.services))
    return done(call, 'APP_DELETE_OK')
  },
})
