import { endpoint } from '#server/http/endpoint.ts'
import { resolveAlert } from '../alerts.actions.ts'
import { alertsContract } from '../alerts.contract.ts'

export const dismissAlert = endpoint(alertsContract.dismissAlert, {
  write: async (tx, context) => {
    await resolveAlert(tx, context, { id: context.params.id, status: 'dismissed' })
    return { code: 'ALERT_DISMISS_OK' }
  },
})
