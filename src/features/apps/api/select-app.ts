import { done } from '#contract/define-call.ts'
import { refuse } from '#contract/refusals.ts'
import { selectAppOfSession } from '#features/accounts/accounts.actions.ts'
import { countLiveSessions } from '#features/sessions/sessions.reads.ts'
import { endpoint } from '#server/endpoint.ts'
import { appsContract } from '../apps.contract.ts'
import { findOwnApp, findOwnAppByName } from '../apps.reads.ts'
import { appsRefusals } from '../apps.refusals.ts'
import { appReply } from '../apps.reply.ts'

const call = appsContract.selectApp

export const selectApp = endpoint(call, {
  write: async (tx, { actor, body, now }) => {
    const app =
      body.appId !== undefined
        ? await findOwnApp(tx.db, actor.id, body.appId)
        : await findOwnAppByName(tx.db, actor.id, body.appName ?? '')
    if (!app) refuse(appsRefusals, 'APP_NOT_FOUND')
    await selectAppOfSession(tx, actor.sessionHash, app.id)
    const live = await countLiveSessions(tx.db, [app.id], now)
    return { ...done(call, 'APP_SELECT_OK', { appName: app.name }), app: appReply(app, live.get(app.id) ?? 0) }
  },
})
