import { reject } from '#contract/errors.ts'
import { pageCount } from '#contract/fields.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import { listUserActivity } from '#features/logs/logs.reads.ts'
import { countedTarget, recordAudit } from '#server/audit/audit.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { changeThreshold, decideAlerts, reopenAlert, resolveAlert } from '../alerts.actions.ts'
import { alertsContract as contract } from '../alerts.contract.ts'
import { alertsErrors } from '../alerts.errors.ts'
import { alertMetrics, countAlerts, countNewAlerts, findAlert, listAlerts, thresholdsOf } from '../alerts.reads.ts'
import { alertReply } from '../alerts.reply.ts'
import { detect } from '../detection.ts'

const day = 86_400

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
  endpoint(contract.alertStats, {
    read: async ({ services: { db }, app, query: { days = 30 }, now }) => {
      const bySeverity = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0 }
      const byStatus = { new: 0, reviewed: 0, dismissed: 0 }
      const byType: Record<string, number> = {}
      let total = 0
      for (const { severity, status, type, n } of await alertMetrics(db.reports, {
        appId: app.id,
        since: now - days * day,
      })) {
        bySeverity[severity] += Number(n)
        byStatus[status] += Number(n)
        byType[type] = (byType[type] ?? 0) + Number(n)
        total += Number(n)
      }
      return { total, bySeverity, byStatus, byType }
    },
  }),
  endpoint(contract.userActivity, {
    read: async ({ services, app, params: { username } }) => {
      await activityLog(services).flush()
      const rows = await listUserActivity(services.db.reports, app.id, username)
      return {
        username,
        activity: rows.map(({ at, hwid_hash: hwid, ...row }) => ({
          timestamp: Number(at),
          hwid,
          licenseKey: row.license,
          ...row,
        })),
      }
    },
  }),
  endpoint(contract.runDetection, {
    writeInBatches: async (context) => {
      const { services, app } = context
      await activityLog(services).flush()
      const raised = await detect(services, app.id)
      const entry = { act: 'alert.run-detection' as const, target: countedTarget(raised, 'alerts') }
      await services.db.write((tx) => recordAudit(tx, context, entry))
      return { raised, code: raised > 0 ? 'DETECTION_OK' : 'DETECTION_NOTHING_NEW', values: { raised } }
    },
  }),
]
