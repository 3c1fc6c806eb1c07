import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { resolveAlert } from '../alerts.actions.ts'
import { alertsContract } from '../alerts.contract.ts'

const call = alertsContract.reviewAlert

export const reviewAlert = endpoint(call, {
  write: async (tx, context) => {
    await resolveAlert(tx, context, { id: context.params.id, status: 'reviewed' })
    return done(call, 'ALERT_REVIEW_OK')
  },
})
