import { endpoint } from '#server/http/endpoint.ts'
import { alertsContract } from '../alerts.contract.ts'
import { countNewAlerts } from '../alerts.reads.ts'

export const countNew = endpoint(alertsContract.countAlerts, {
  read: async ({ services: { db }, app }) => ({ count: await countNewAlerts(db.read, app.id) }),
})
