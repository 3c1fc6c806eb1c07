import { selectAppOfSession } from '#features/accounts/accounts.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { appReply } from '../app-settings.ts'
import { createApp as createAppAction } from '../apps.actions.ts'
import { appsContract } from '../apps.contract.ts'

export const createApp = endpoint(appsContract.createApp, {
  write: async (tx, context) => {
    const { services, actor, body, now } = context
    const app = await createAppAction(tx, services.masterKey, {
      ownerId: actor.id,
      name: body.appName,
      version: body.version,
      description: body.description,
      now,
    })
    await selectAppOfSession(tx, actor.sessionHash, app.id)
    await recordAudit(tx, context, { act: 'app.create', target: app.id, details: { name: app.name } })
    return { message: 'App created successfully', app: appReply(app, 0), appId: app.id, appName: app.name }
  },
})
