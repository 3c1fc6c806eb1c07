import { reject } from '#contract/errors.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { getReseller as getOwnReseller } from '../resellers.actions.ts'
import { resellersContract } from '../resellers.contract.ts'
import {
  countByApp,
  countByStatus,
  countResellers,
  findOwnResellerByName,
  listResellers as listRows,
} from '../resellers.reads.ts'
import { resellersErrors } from '../resellers.errors.ts'
import { describeReseller, describeResellers } from '../resellers.reply.ts'

/** Apps with a number of resellers. */
const maxApps = 100

export const listResellers = endpoint(resellersContract.listResellers, {
  read: async ({ services, actor, query }) => {
    const { page = 1, limit = 10, search, status, assignedAppId, credits, sort } = query
    const { reports } = services.db
    const filter = { ownerId: actor.id, search, status, assignedAppId, credits }
    const total = await countResellers(reports, filter)
    const rows = await listRows(reports, { ...filter, limit, offset: (page - 1) * limit, sort })
    const resellers = await describeResellers(services.db, actor.id, rows)
    const counts = { ...(await countByStatus(reports, actor.id)), apps: await countByApp(reports, actor.id, maxApps) }
    return { resellers, total, totalPages: Math.max(1, Math.ceil(total / limit)), counts }
  },
})

export const getReseller = endpoint(resellersContract.getReseller, {
  read: async ({ services: { db }, actor, params }) => ({
    reseller: await describeReseller(db, await getOwnReseller(db.read, actor.id, params.id)),
  }),
})

export const getResellerByUsername = endpoint(resellersContract.getResellerByUsername, {
  read: async ({ services: { db }, actor, params }) => {
    const reseller = await findOwnResellerByName(db.read, actor.id, params.username)
    if (!reseller) return reject(resellersErrors, 'RESELLER_NOT_FOUND')
    return { reseller: await describeReseller(db, reseller) }
  },
})
