import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { unassignApp } from '../reseller-removal.actions.ts'
import { assignApp, configureApp } from '../resellers.actions.ts'
import { resellersContract as contract } from '../resellers.contract.ts'
import { assignedAppsOf } from '../resellers.reply.ts'

export const resellerAppCalls: readonly Endpoint[] = [
  endpoint(contract.assignApp, {
    write: async (tx, context) => {
      const { params, body } = context
      const { allowedSubscriptions: allowedLevels, ...config } = body
      await assignApp(tx, context, { id: params.id, ...config, ...(allowedLevels && { allowedLevels }) })
      const assignedApps = (await assignedAppsOf(tx.db, [params.id]))(params.id)
      return { code: 'APP_ASSIGN_OK', assignedApps }
    },
  }),
  endpoint(contract.configureApp, {
    write: async (tx, context) => {
      const { params, body } = context
      await configureApp(tx, context, { id: params.id, appName: params.app, ...body })
      const assignedApps = (await assignedAppsOf(tx.db, [params.id]))(params.id)
      return { code: 'APP_CONFIGURE_OK', assignedApps }
    },
  }),
  /** The specification does not name the flag: any of the three names counts. */
  endpoint(contract.unassignApp, {
    writeInBatches: async (context) => {
      const { services, params } = context
      const flags = [context.query, context.body ?? {}]
      const withData = flags.some((sent) => Object.values(sent).includes(true))
      const deleted = await unassignApp(services.db, context, { id: params.id, appName: params.app, withData })
      return { code: withData ? 'APP_REMOVE_DATA_OK' : 'APP_REMOVE_OK', ...deleted }
    },
  }),
]
