import { levelNames } from '#features/subscriptions/subscriptions.actions.ts'
import { endpoint } from '#server/endpoint.ts'
import { licenseReply } from '../license-reply.ts'
import { licensesContract } from '../licenses.contract.ts'
import { countFiltered, countLicenses, listPage } from '../licenses.queries.ts'

export const listLicenses = endpoint(licensesContract.listLicenses, {
  read: async ({ services: { db }, app, query, now }) => {
    const { page = 1, limit = 10, search, status, level } = query
    const choice = { appId: app.id, filter: { search, status, level }, now }
    const counts = await countLicenses(db.reports, app.id, now)
    const counted = !search?.trim() && level === undefined
    const total = counted ? counts[status ?? 'total'] : await countFiltered(db, choice)
    const rows = await listPage(db, { ...choice, offset: (page - 1) * limit, limit, total })
    const names = await levelNames(db.read, app.id)
    return {
      licenses: rows.map((row) => licenseReply(row, names)),
      total,
      totalPages: Math.max(1, Math.ceil(total / limit)),
      counts,
    }
  },
})
