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
  write: async (tx, context) => {
    const { appId, ...form } = context.body
    const id = appId ?? context.actor.selectedAppId ?? refuse(appsRefusals, 'APP_NOT_FOUND')
    const app = await updateAppAction(tx, context, id, form)
    const live = await countLiveSessions(tx.db, [app.id], context.now)
    return { ...done(call, 'APP_UPDATE_OK'), app: appReply(app, live.get(app.id) ?? 0) }
  },
})
