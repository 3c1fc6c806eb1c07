import { endpoint } from '#server/http/endpoint.ts'
import { updateWebhook as updateWebhookAction } from '../webhooks.actions.ts'
import { webhooksContract } from '../webhooks.contract.ts'

export const updateWebhook = endpoint(webhooksContract.updateWebhook, {
  write: async (tx, context) => {
    const { webhookId, name, url, userAgent, authenticated, events, start, before } = context.body
    const change = { name, url, userAgent, authenticated, events }
    await updateWebhookAction(tx, context, { webhookId, change, start, before })
    return { code: 'WEBHOOK_UPDATE_OK' }
  },
})
