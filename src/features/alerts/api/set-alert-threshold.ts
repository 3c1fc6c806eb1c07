import { endpoint } from '#server/http/endpoint.ts'
import { changeThreshold } from '../alerts.actions.ts'
import { alertsContract } from '../alerts.contract.ts'

export const setAlertThreshold = endpoint(alertsContract.setAlertThreshold, {
  write: async (tx, context) => {
    await changeThreshold(tx, context, context.body)
    return { code: 'ALERT_THRESHOLD_OK' }
  },
})
