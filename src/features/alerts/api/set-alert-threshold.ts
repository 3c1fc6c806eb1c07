import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { changeThreshold } from '../alerts.actions.ts'
import { alertsContract } from '../alerts.contract.ts'

const call = alertsContract.setAlertThreshold

export const setAlertThreshold = endpoint(call, {
  write: async (tx, context) => {
    await changeThreshold(tx, context, context.body)
    return done(call, 'ALERT_THRESHOLD_OK')
  },
})
