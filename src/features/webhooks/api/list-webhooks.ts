import { findChatLink } from '#features/apps/apps.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { webhookFields } from '../webhooks.actions.ts'
import { webhooksContract } from '../webhooks.contract.ts'
import {
  countByStatus,
  countWebhooks,
  findChatEvents,
  listWebhooks as readWebhooks,
  type Webhook,
} from '../webhooks.reads.ts'
import type { WebhookEvent } from '../webhooks.rules.ts'

export const listWebhooks = endpoint(webhooksContract.listWebhooks, {
  read: async ({ services: { db }, app, query, now }) => {
    const { page = 1, limit = 10, search, status, sort } = query
    const filter = { appId: app.id, search, status }
    const total = await countWebhooks(db.reports, filter)
    const rows = await readWebhooks(db.reports, { ...filter, offset: (page - 1) * limit, limit, sort })
    const chat = {
      isSet: (await findChatLink(db.read, app.id)) !== '',
      events: (await findChatEvents(db.read, app.id)) as WebhookEvent[],
    }
    const webhooks = rows.map((row) => webhookReply(row, now))
    const counts = await countByStatus(db.reports, app.id)
    return { webhooks, total, totalPages: Math.max(1, Math.ceil(total / limit)), counts, chat }
  },
})

const webhookReply = (webhook: Webhook, now: number) => ({
  id: webhook.id,
  webhookId: webhook.id,
  ...webhookFields(webhook),
  stoppedAt: webhook.stopped_at,
  failingSince: webhook.failing_since,
  rotatedUntil: Number(webhook.previous_until) > now ? webhook.previous_until : null,
  createdAt: webhook.created_at,
})
