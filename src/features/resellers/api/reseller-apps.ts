import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { unassignApp as unassignAction } from '../reseller-removal.actions.ts'
import { assignApp as assignAction, configureApp as configureAction } from '../resellers.actions.ts'
import { resellersContract } from '../resellers.contract.ts'
import { assignedAppsOf } from '../resellers.reply.ts'

const { assignApp: assignCall, configureApp: configureCall, unassignApp: unassignCall } = resellersContract

export const assignApp = endpoint(assignCall, {
  write: async (tx, context) => {
    const { params, body } = context
    const { allowedSubscriptions: allowedLevels, ...config } = body
    await assignAction(tx, context, { id: params.id, ...config, ...(allowedLevels && { allowedLevels }) })
    const assignedApps = (await assignedAppsOf(tx.db, [params.id]))(params.id)
    return { ...done(assignCall, 'APP_ASSIGN_OK'), assignedApps }
  },
})

export const configureApp = endpoint(configureCall, {
  write: async (tx, context) => {
    const { params, body } = context
    await configureAction(tx, context, { id: params.id, appName: params.app, ...body })
    const assignedApps = (await assignedAppsOf(tx.db, [params.id]))(params.id)
    return { ...done(configureCall, 'APP_CONFIGURE_OK'), assignedApps }
  },
})

/** The specification does not name the flag: any of the three names counts. */
export const unassignApp = endpoint(unassignCall, {
  writeInBatches: async (context) => {
    const { services, params } = context
    const flags = [context.query, context.body ?? {}]
    const withData = flags.some((sent) => Object.values(sent).includes(true))
    const deleted = await unassignAction(services.db, context, { id: params.id, appName: params.app, withData })
    return { ...done(unassignCall, withData ? 'APP_REMOVE_DATA_OK' : 'APP_REMOVE_OK'), ...deleted }
  },
})
