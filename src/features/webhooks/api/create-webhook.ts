import { endpoint } from '#server/http/endpoint.ts'
import { createWebhook as createWebhookAction } from '../webhooks.actions.ts'
import { webhooksContract } from '../webhooks.contract.ts'

export const createWebhook = endpoint(webhooksContract.createWebhook, {
  write: async (tx, context) => {
    const { name, url, userAgent, authenticated, events } = context.body
    const { id, secret } = await createWebhookAction(tx, context, { name, url, userAgent, authenticated, events })
    return { code: 'WEBHOOK_CREATE_OK', id, webhookId: id, secret }
  },
})
