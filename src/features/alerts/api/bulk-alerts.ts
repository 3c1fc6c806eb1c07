import { endpoint } from '#server/http/endpoint.ts'
import { decideAlerts } from '../alerts.actions.ts'
import { alertsContract } from '../alerts.contract.ts'

const successes = { review: 'ALERTS_REVIEW_OK', dismiss: 'ALERTS_DISMISS_OK', reopen: 'ALERTS_REOPEN_OK' } as const

export const bulkAlerts = endpoint(alertsContract.bulkAlerts, {
  write: async (tx, context) => {
    const { action } = context.body
    const results = await decideAlerts(tx, context, context.body)
    const failed = results.filter(({ ok }) => !ok).length
    const counts = { done: results.length - failed, failed }
    return { code: successes[action], values: counts, ...counts, results }
  },
})
