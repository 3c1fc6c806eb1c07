import { done } from '#contract/define-call.ts'
import { refuse } from '#contract/refusals.ts'
import { countLiveSessions } from '#features/sessions/sessions.reads.ts'
import { endpoint } from '#server/endpoint.ts'
import { updateApp as updateAppAction } from '../apps.actions.ts'
import { appsContract } from '../apps.contract.ts'
import { appsRefusals } from '../apps.refusals.ts'
import { appReply } from '../apps.reply.ts'

const call = appsContract.updateApp

export const updateApp = endpoint(call, {
  // Counted before the transaction: others would wait for it.
  prepare: async ({ services: { db }, actor, body, now }) => {
    const id = body.appId ?? actor.selectedAppId
    return id === null ? 0 : ((await countLiveSessions(db.reports, [id], now)).get(id) ?? 0)
  },
  write: async (tx, context, live) => {
    const { appId, ...form } = context.body
    const id = appId ?? context.actor.selectedAppId ?? refuse(appsRefusals, 'APP_NOT_FOUND')
    const app = await updateAppAction(tx, context, id, form)
    return { ...done(call, 'APP_UPDATE_OK'), app: appReply(app, live) }
  },
})
