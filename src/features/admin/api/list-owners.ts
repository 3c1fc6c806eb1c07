import { endpoint } from '#server/http/endpoint.ts'
import { adminContract } from '../admin.contract.ts'
import { ownerReplies } from '../admin.reply.ts'
import { countOwners, listOwners as listFiltered } from '../owners.reads.ts'

export const listOwners = endpoint(adminContract.listOwners, {
  read: async ({ services: { db }, query, now }) => {
    const { page = 1, limit = 10, days, ...given } = query
    const filter = days === undefined ? given : { ...given, from: Math.max(given.from ?? 0, now - days * 86_400) }
    const total = await countOwners(db.reports, filter, now)
    const accounts = await listFiltered(db.reports, { ...filter, offset: (page - 1) * limit, limit }, now)
    const owners = await ownerReplies(db, accounts, now)
    return { owners, total, totalPages: Math.max(1, Math.ceil(total / limit)) }
  },
})
