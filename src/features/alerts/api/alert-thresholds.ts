import { endpoint } from '#server/http/endpoint.ts'
import { alertsContract } from '../alerts.contract.ts'
import { thresholdsOf } from '../alerts.reads.ts'

export const alertThresholds = endpoint(alertsContract.alertThresholds, {
  read: async ({ services: { db }, app }) => {
    const thresholds = await thresholdsOf(db.read, app.id)
    return { thresholds: [...thresholds].map(([type, threshold]) => ({ type, ...threshold })) }
  },
})
