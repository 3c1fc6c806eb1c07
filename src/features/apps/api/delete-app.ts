import { refuse } from '#contract/refusals.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { deleteApp as deleteAppAction, ownApp } from '../apps.actions.ts'
import { appsContract } from '../apps.contract.ts'
import { purgeDeletedApps } from '../apps.purge.ts'
import { appsRefusals } from '../apps.refusals.ts'

export const deleteApp = endpoint(appsContract.deleteApp, {
  write: async (tx, context) => {
    const app = await ownApp(tx, context.actor.id, context.body.appId)
    if (!(await deleteAppAction(tx, app, context.now))) refuse(appsRefusals, 'APP_NOT_FOUND')
    await recordAudit(tx, context, { act: 'app.delete', target: app.id, details: { name: app.name } })
    tx.afterCommit(() => void purgeDeletedApps(context.services))
    return { message: 'App deleted successfully' }
  },
})
