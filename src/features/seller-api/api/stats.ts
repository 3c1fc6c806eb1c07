import { countLicenses } from '#features/licenses/licenses.reads.ts'
import { countActiveSessions } from '#features/session-store/session-store.reads.ts'
import { countUsers } from '#features/users/users.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { sellerKeyContract } from '../seller-key.contract.ts'

export const stats = endpoint(sellerKeyContract.stats, {
  read: async ({ services: { db }, app, now }) => {
    const licenses = await countLicenses(db.reports, app.id, now)
    const users = await countUsers(db, app.id, now)
    const active = (await countActiveSessions(db.reports, [app.id], now)).get(app.id) ?? 0
    return { licenses, users, sessions: { live: active } }
  },
})
