import { endpoint } from '#server/http/endpoint.ts'
import { resolveAlert } from '../alerts.actions.ts'
import { alertsContract } from '../alerts.contract.ts'

export const reviewAlert = endpoint(alertsContract.reviewAlert, {
  write: async (tx, context) => {
    await resolveAlert(tx, context, { id: context.params.id, status: 'reviewed' })
    return { code: 'ALERT_REVIEW_OK' }
  },
})
