import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { resolveAlert } from '../alerts.actions.ts'
import { alertsContract } from '../alerts.contract.ts'

const call = alertsContract.dismissAlert

export const dismissAlert = endpoint(call, {
  write: async (tx, context) => {
    await resolveAlert(tx, context, { id: context.params.id, status: 'dismissed' })
    return done(call, 'ALERT_DISMISS_OK')
  },
})
