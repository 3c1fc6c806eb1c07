import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { updateWebhook as updateWebhookAction } from '../webhooks.actions.ts'
import { webhooksContract } from '../webhooks.contract.ts'

const call = webhooksContract.updateWebhook

export const updateWebhook = endpoint(call, {
  write: async (tx, context) => {
    const { webhookId, name, url, userAgent, authenticated, events, start, before } = context.body
    const change = { name, url, userAgent, authenticated, events }
    await updateWebhookAction(tx, context, { webhookId, change, start, before })
    return done(call, 'WEBHOOK_UPDATE_OK')
  },
})
