import { levelNames } from '#features/levels/levels.reads.ts'
import { listPage } from '#features/licenses/license-pages.reads.ts'
import { countOfReseller } from '#features/licenses/licenses.reads.ts'
import { licenseReply } from '#features/licenses/licenses.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { getReseller } from '../resellers.actions.ts'
import { resellerLicensesContract } from '../reseller-licenses.contract.ts'

export const listResellerLicenses = endpoint(resellerLicensesContract.listResellerLicenses, {
  read: async ({ services: { db }, actor, app, now, params, query: { page = 1, limit = 10 } }) => {
    const { id: resellerId } = await getReseller(db.read, actor.id, params.id)
    const { licenses: total } = await countOfReseller(db.reports, { appId: app.id, resellerId })
    const choice = { appId: app.id, filter: { resellerId }, now }
    const rows = await listPage(db, { ...choice, offset: (page - 1) * limit, limit, total })
    const names = await levelNames(db.read, app.id)
    const licenses = rows.map((row) => licenseReply(row, names))
    return { licenses, total, totalPages: Math.max(1, Math.ceil(total / limit)) }
  },
})
