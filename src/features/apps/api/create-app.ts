import { endpoint } from '#server/http/endpoint.ts'
import { createApp as createAppAction } from '../apps.actions.ts'
import { appsContract } from '../apps.contract.ts'
import { appReply } from '../apps.reply.ts'

export const createApp = endpoint(appsContract.createApp, {
  write: async (tx, context) => {
    const app = await createAppAction(tx, context, context.body)
    return { code: 'APP_CREATE_OK', app: appReply(app, 0), appId: app.id, appName: app.name }
  },
})
