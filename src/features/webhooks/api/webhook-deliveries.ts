import { pageCount } from '#contract/fields.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { chatTarget } from '../webhook-events.ts'
import { replayDelivery } from '../webhooks.actions.ts'
import { webhooksContract as contract } from '../webhooks.contract.ts'
import { countDeliveries, findWebhook, listDeliveries, type WebhookDelivery } from '../webhooks.reads.ts'

export const webhookDeliveryCalls: readonly Endpoint[] = [
  endpoint(contract.listWebhookDeliveries, {
    read: async ({ services: { db }, app, query }) => {
      const { page = 1, limit = 10, webhookId = chatTarget } = query
      // The log of a deleted one stays until it can't be restored any more.
      const isThere = webhookId === chatTarget || (await findWebhook(db.reports, app.id, webhookId)) !== undefined
      if (!isThere) return { deliveries: [], total: 0, totalPages: 1 }
      const total = await countDeliveries(db.reports, app.id, webhookId)
      const offset = (page - 1) * limit
      const rows = await listDeliveries(db.reports, { appId: app.id, webhookId, offset, limit })
      return { deliveries: rows.map(deliveryReply), total, totalPages: pageCount(total, limit) }
    },
  }),
  endpoint(contract.replayWebhookDelivery, {
    write: async (tx, context) => {
      const { webhookId = chatTarget, deliveryId } = context.body
      await replayDelivery(tx, context, { webhookId, deliveryId })
      return { code: 'WEBHOOK_REPLAY_OK' }
    },
  }),
]

const deliveryReply = (delivery: WebhookDelivery) => ({
  id: Number(delivery.id),
  messageId: delivery.message_id,
  event: delivery.event,
  state: delivery.state,
  attempts: delivery.attempts,
  status: delivery.status,
  failure: delivery.failure,
  answer: delivery.answer,
  body: delivery.body,
  durationMs: delivery.duration_ms,
  attemptedAt: delivery.attempted_at,
  nextAt: delivery.next_at,
  createdAt: delivery.created_at,
})
