import { countLicenses } from '#features/licenses/licenses.reads.ts'
import { countActiveSessions } from '#features/session-store/session-store.reads.ts'
import { usersPage } from '#features/users/users.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { sellerStatsContract } from '../seller-subscriptions.contract.ts'

export const stats = endpoint(sellerStatsContract.stats, {
  read: async ({ services: { db }, app, now }) => {
    const licenses = await countLicenses(db.reports, app.id, now)
    const users = (await usersPage(db, { appId: app.id, filter: {}, page: 1, limit: 1, now })).counts
    const active = (await countActiveSessions(db.reports, [app.id], now)).get(app.id) ?? 0
    return { licenses, users, sessions: { live: active } }
  },
})
