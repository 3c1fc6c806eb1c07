import { countAccounts, listAccounts } from '#features/accounts/accounts.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { adminContract } from '../admin.contract.ts'
import { ownerReplies } from '../admin.reply.ts'

export const listOwners = endpoint(adminContract.listOwners, {
  read: async ({ services: { db }, query, now }) => {
    const { page = 1, limit = 10, search } = query
    const total = await countAccounts(db.reports, { search })
    const accounts = await listAccounts(db.reports, { search, offset: (page - 1) * limit, limit })
    const owners = await ownerReplies(db, accounts, now)
    return { owners, total, totalPages: Math.max(1, Math.ceil(total / limit)) }
  },
})
