import { refuse } from '#contract/refusals.ts'
import { countLiveSessions } from '#features/sessions/sessions.reads.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { appReply } from '../app-settings.ts'
import { ownApp, updateApp as updateAppAction } from '../apps.actions.ts'
import { appsContract } from '../apps.contract.ts'
import { appsRefusals } from '../apps.refusals.ts'

export const updateApp = endpoint(appsContract.updateApp, {
  write: async (tx, context) => {
    const { actor, body, now } = context
    const id = body.appId ?? actor.selectedAppId ?? refuse(appsRefusals, 'APP_NOT_FOUND')
    const before = await ownApp(tx, actor.id, id)
    const app = await updateAppAction(tx, before, {
      name: body.appName,
      version: body.version,
      description: body.description,
      settings: body.settings,
    })
    await recordAudit(tx, context, { act: 'app.update', target: app.id, details: { name: app.name } })
    const live = await countLiveSessions(tx.db, [app.id], now)
    return { message: 'Settings saved successfully!', app: appReply(app, live.get(app.id) ?? 0) }
  },
})
