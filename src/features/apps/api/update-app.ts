import { countActiveSessions } from '#features/session-store/session-store.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { updateApp as updateAppAction } from '../apps.actions.ts'
import { appsContract } from '../apps.contract.ts'
import { appReply } from '../apps.reply.ts'

export const updateApp = endpoint(appsContract.updateApp, {
  // Counted before the transaction, so that other transactions do not wait for it.
  prepare: async ({ services: { db }, app, now }) =>
    (await countActiveSessions(db.reports, [app.id], now)).get(app.id) ?? 0,
  write: async (tx, context, active) => {
    const { appId: _, ...form } = context.body
    return { code: 'APP_UPDATE_OK', app: appReply(await updateAppAction(tx, context, form), active) }
  },
})
