import { endpoint } from '#server/http/endpoint.ts'
import { alertsContract } from '../alerts.contract.ts'
import { countAlerts, listAlerts } from '../alerts.reads.ts'
import { alertReply } from '../alerts.reply.ts'

export const listAlertPage = endpoint(alertsContract.listAlerts, {
  read: async ({ services: { db }, app, query }) => {
    const { page = 1, limit = 50, search, searchCodes, type, severity, status, from, until, sort } = query
    const filter = { appId: app.id, search, searchCodes, type, severity, status, from, until }
    const total = await countAlerts(db.reports, filter)
    const rows = await listAlerts(db.reports, { ...filter, offset: (page - 1) * limit, limit, sort })
    const pages = Math.max(1, Math.ceil(total / limit))
    return { data: rows.map(alertReply), pagination: { page, limit, total, pages }, total, totalPages: pages }
  },
})
