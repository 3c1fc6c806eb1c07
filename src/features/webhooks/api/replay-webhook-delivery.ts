import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { chatTarget } from '../webhook-events.ts'
import { replayDelivery } from '../webhooks.actions.ts'
import { webhooksContract } from '../webhooks.contract.ts'

const call = webhooksContract.replayWebhookDelivery

export const replayWebhookDelivery = endpoint(call, {
  write: async (tx, context) => {
    const { webhookId = chatTarget, deliveryId } = context.body
    await replayDelivery(tx, context, { webhookId, deliveryId })
    return done(call, 'WEBHOOK_REPLAY_OK')
  },
})
