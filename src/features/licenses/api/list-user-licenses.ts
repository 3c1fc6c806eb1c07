import { levelNames } from '#features/levels/levels.reads.ts'
import { getUser } from '#features/users/users.actions.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { licensesContract } from '../licenses.contract.ts'
import { countRedeemed, listRedeemed } from '../licenses.reads.ts'
import { licenseReply } from '../licenses.reply.ts'

export const listUserLicenses = endpoint(licensesContract.listUserLicenses, {
  read: async ({ services: { db }, app, params, query: { page = 1, limit = 10 } }) => {
    const user = await getUser(db.read, app.id, params.username)
    const redeemer = { appId: app.id, userId: user.id }
    const total = await countRedeemed(db.read, redeemer)
    const rows = await listRedeemed(db.read, { ...redeemer, offset: (page - 1) * limit, limit })
    const names = await levelNames(db.read, app.id)
    const licenses = rows.map((row) => licenseReply(row, names))
    return { licenses, total, totalPages: Math.max(1, Math.ceil(total / limit)) }
  },
})
