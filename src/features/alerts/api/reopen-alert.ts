import { endpoint } from '#server/http/endpoint.ts'
import { reopenAlert } from '../alerts.actions.ts'
import { alertsContract } from '../alerts.contract.ts'

export const reopen = endpoint(alertsContract.reopenAlert, {
  write: async (tx, context) => {
    await reopenAlert(tx, context, context.params.id)
    return { code: 'ALERT_REOPEN_OK' }
  },
})
