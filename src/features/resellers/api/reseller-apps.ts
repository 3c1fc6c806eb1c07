import { endpoint } from '#server/http/endpoint.ts'
import { unassignApp as unassignAction } from '../reseller-removal.actions.ts'
import { assignApp as assignAction, configureApp as configureAction } from '../resellers.actions.ts'
import { resellersContract } from '../resellers.contract.ts'
import { assignedAppsOf } from '../resellers.reply.ts'

export const assignApp = endpoint(resellersContract.assignApp, {
  write: async (tx, context) => {
    const { params, body } = context
    const { allowedSubscriptions: allowedLevels, ...config } = body
    await assignAction(tx, context, { id: params.id, ...config, ...(allowedLevels && { allowedLevels }) })
    const assignedApps = (await assignedAppsOf(tx.db, [params.id]))(params.id)
    return { code: 'APP_ASSIGN_OK', assignedApps }
  },
})

export const configureApp = endpoint(resellersContract.configureApp, {
  write: async (tx, context) => {
    const { params, body } = context
    await configureAction(tx, context, { id: params.id, appName: params.app, ...body })
    const assignedApps = (await assignedAppsOf(tx.db, [params.id]))(params.id)
    return { code: 'APP_CONFIGURE_OK', assignedApps }
  },
})

/** The specification does not name the flag: any of the three names counts. */
export const unassignApp = endpoint(resellersContract.unassignApp, {
  writeInBatches: async (context) => {
    const { services, params } = context
    const flags = [context.query, context.body ?? {}]
    const withData = flags.some((sent) => Object.values(sent).includes(true))
    const deleted = await unassignAction(services.db, context, { id: params.id, appName: params.app, withData })
    return { code: withData ? 'APP_REMOVE_DATA_OK' : 'APP_REMOVE_OK', ...deleted }
  },
})
