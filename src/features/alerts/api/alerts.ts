import { reject } from '#contract/errors.ts'
import { pageCount } from '#contract/fields.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { changeThreshold, decideAlerts, reopenAlert, resolveAlert } from '../alerts.actions.ts'
import { alertsContract as contract } from '../alerts.contract.ts'
import { alertsErrors } from '../alerts.errors.ts'
import { countAlerts, countNewAlerts, findAlert, listAlerts, thresholdsOf } from '../alerts.reads.ts'
import { alertReply } from '../alerts.reply.ts'

const successes = { review: 'ALERTS_REVIEW_OK', dismiss: 'ALERTS_DISMISS_OK', reopen: 'ALERTS_REOPEN_OK' } as const

export const alertCalls: readonly Endpoint[] = [
  endpoint(contract.listAlerts, {
    read: async ({ services: { db }, app, query }) => {
      const { page = 1, limit = 50, search, searchCodes, type, severity, status, from, until, sort } = query
      const filter = { appId: app.id, search, searchCodes, type, severity, status, from, until }
      const total = await countAlerts(db.reports, filter)
      const rows = await listAlerts(db.reports, { ...filter, offset: (page - 1) * limit, limit, sort })
      const pages = pageCount(total, limit)
      return { data: rows.map(alertReply), pagination: { page, limit, total, pages }, total, totalPages: pages }
    },
  }),
  endpoint(contract.getAlert, {
    read: async ({ services: { db }, app, params: { id } }) => {
      const alert = (await findAlert(db.read, { appId: app.id, id })) ?? reject(alertsErrors, 'ALERT_NOT_FOUND')
      return { alert: alertReply(alert) }
    },
  }),
  endpoint(contract.countAlerts, {
    read: async ({ services: { db }, app }) => ({ count: await countNewAlerts(db.read, app.id) }),
  }),
  endpoint(contract.reviewAlert, {
    write: async (tx, context) => {
      await resolveAlert(tx, context, { id: context.params.id, status: 'reviewed' })
      return { code: 'ALERT_REVIEW_OK' }
    },
  }),
  endpoint(contract.dismissAlert, {
    write: async (tx, context) => {
      await resolveAlert(tx, context, { id: context.params.id, status: 'dismissed' })
      return { code: 'ALERT_DISMISS_OK' }
    },
  }),
  endpoint(contract.reopenAlert, {
    write: async (tx, context) => {
      await reopenAlert(tx, context, context.params.id)
      return { code: 'ALERT_REOPEN_OK' }
    },
  }),
  endpoint(contract.bulkAlerts, {
    write: async (tx, context) => {
      const { action } = context.body
      const results = await decideAlerts(tx, context, context.body)
      const failed = results.filter(({ ok }) => !ok).length
      const counts = { done: results.length - failed, failed }
      return { code: successes[action], values: counts, ...counts, results }
    },
  }),
  endpoint(contract.alertThresholds, {
    read: async ({ services: { db }, app }) => {
      const thresholds = await thresholdsOf(db.read, app.id)
      return { thresholds: [...thresholds].map(([type, threshold]) => ({ type, ...threshold })) }
    },
  }),
  endpoint(contract.setAlertThreshold, {
    write: async (tx, context) => {
      await changeThreshold(tx, context, context.body)
      return { code: 'ALERT_THRESHOLD_OK' }
    },
  }),
]
