import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { createApp as createAppAction } from '../apps.actions.ts'
import { appsContract } from '../apps.contract.ts'
import { appReply } from '../apps.reply.ts'

const call = appsContract.createApp

export const createApp = endpoint(call, {
  write: async (tx, context) => {
    const app = await createAppAction(tx, context, context.body)
    return { ...done(call, 'APP_CREATE_OK'), app: appReply(app, 0), appId: app.id, appName: app.name }
  },
})
