import { endpoint } from '#server/http/endpoint.ts'
import { alertsContract } from '../alerts.contract.ts'
import { alertMetrics } from '../alerts.reads.ts'

const day = 86_400

export const alertStats = endpoint(alertsContract.alertStats, {
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
})
