import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { reopenAlert } from '../alerts.actions.ts'
import { alertsContract } from '../alerts.contract.ts'

const call = alertsContract.reopenAlert

export const reopen = endpoint(call, {
  write: async (tx, context) => {
    await reopenAlert(tx, context, context.params.id)
    return done(call, 'ALERT_REOPEN_OK')
  },
})
