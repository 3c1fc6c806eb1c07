import { countActiveSessions } from '#features/session-store/session-store.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { appsContract } from '../apps.contract.ts'
import { listOwnApps } from '../apps.reads.ts'
import { appReply } from '../apps.reply.ts'

export const listApps = endpoint(appsContract.listApps, {
  read: async ({ services: { db }, actor, now }) => {
    const apps = await listOwnApps(db.read, actor.id)
    const active = await countActiveSessions(
      db.reports,
      apps.map((app) => app.id),
      now,
    )
    return { apps: apps.map((app) => appReply(app, active.get(app.id) ?? 0)) }
  },
})
