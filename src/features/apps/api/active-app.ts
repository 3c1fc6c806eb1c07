import { countActiveSessions } from '#features/session-store/session-store.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { appsContract } from '../apps.contract.ts'
import { findSelectedApp } from '../apps.reads.ts'
import { appReply } from '../apps.reply.ts'

export const activeApp = endpoint(appsContract.activeApp, {
  read: async ({ services: { db }, actor, now }) => {
    const app = await findSelectedApp(db.read, actor)
    if (!app) return { app: null }
    const active = await countActiveSessions(db.reports, [app.id], now)
    return { app: appReply(app, active.get(app.id) ?? 0) }
  },
})
