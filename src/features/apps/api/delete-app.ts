import { refuse } from '#contract/refusals.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { deleteApp as deleteAppAction, ownApp } from '../apps.actions.ts'
import { purgeDeletedApps } from '../apps.purge.ts'
import { appsContract, appsRefusals } from '../apps.contract.ts'

export const deleteApp = endpoint(appsContract.deleteApp, {
  unit: async (unit, context) => {
    const app = await ownApp(unit, context.actor.id, context.body.appId)
    if (!(await deleteAppAction(unit, app, context.now))) refuse(appsRefusals, 'APP_NOT_FOUND')
    await recordAudit(unit, context, { act: 'app.delete', target: app.id, details: { name: app.name } })
    unit.afterCommit(() => void purgeDeletedApps(context.services))
    return { message: 'App deleted successfully' }
  },
})
