import { reject } from '#contract/errors.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { getReseller as getOwnReseller } from '../resellers.actions.ts'
import { resellersContract } from '../resellers.contract.ts'
import { countResellers, findOwnResellerByName, listResellers as listRows } from '../resellers.reads.ts'
import { resellersErrors } from '../resellers.errors.ts'
import { describeReseller, describeResellers } from '../resellers.reply.ts'

export const listResellers = endpoint(resellersContract.listResellers, {
  read: async ({ services, actor, query }) => {
    const { page = 1, limit = 10, search, sort } = query
    const filter = { ownerId: actor.id, search }
    const total = await countResellers(services.db.reports, filter)
    const rows = await listRows(services.db.reports, { ...filter, limit, offset: (page - 1) * limit, sort })
    const resellers = await describeResellers(services.db, actor.id, rows)
    return { resellers, total, totalPages: Math.max(1, Math.ceil(total / limit)) }
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
