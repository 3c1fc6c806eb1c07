import { endpoint } from '#server/http/endpoint.ts'
import { chatTarget } from '../webhook-events.ts'
import { replayDelivery } from '../webhooks.actions.ts'
import { webhooksContract } from '../webhooks.contract.ts'

export const replayWebhookDelivery = endpoint(webhooksContract.replayWebhookDelivery, {
  write: async (tx, context) => {
    const { webhookId = chatTarget, deliveryId } = context.body
    await replayDelivery(tx, context, { webhookId, deliveryId })
    return { code: 'WEBHOOK_REPLAY_OK' }
  },
})
