import { pageCount } from '#contract/fields.ts'
import { findChatLink } from '#features/apps/apps.reads.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import {
  createWebhook,
  deleteAllWebhooks,
  deleteWebhook,
  rotateSecret,
  setChatEvents,
  updateWebhook,
  webhookFields,
} from '../webhooks.actions.ts'
import { webhooksContract as contract } from '../webhooks.contract.ts'
import { countByStatus, countWebhooks, findChatEvents, listWebhooks, type Webhook } from '../webhooks.reads.ts'
import { overlapHours as overlap, type WebhookEvent } from '../webhooks.rules.ts'

export const webhookCalls: readonly Endpoint[] = [
  endpoint(contract.listWebhooks, {
    read: async ({ services: { db }, app, query, now }) => {
      const { page = 1, limit = 10, search, status, sort } = query
      const filter = { appId: app.id, search, status }
      const total = await countWebhooks(db.reports, filter)
      const rows = await listWebhooks(db.reports, { ...filter, offset: (page - 1) * limit, limit, sort })
      const chat = {
        isSet: (await findChatLink(db.read, app.id)) !== '',
        events: (await findChatEvents(db.read, app.id)) as WebhookEvent[],
      }
      const webhooks = rows.map((row) => webhookReply(row, now))
      const counts = await countByStatus(db.reports, app.id)
      return { webhooks, total, totalPages: pageCount(total, limit), counts, chat }
    },
  }),
  endpoint(contract.createWebhook, {
    write: async (tx, context) => {
      const { name, url, userAgent, authenticated, events } = context.body
      const { id, secret } = await createWebhook(tx, context, { name, url, userAgent, authenticated, events })
      return { code: 'WEBHOOK_CREATE_OK', id, webhookId: id, secret }
    },
  }),
  endpoint(contract.updateWebhook, {
    write: async (tx, context) => {
      const { webhookId, name, url, userAgent, authenticated, events, start, before } = context.body
      const change = { name, url, userAgent, authenticated, events }
      await updateWebhook(tx, context, { webhookId, change, start, before })
      return { code: 'WEBHOOK_UPDATE_OK' }
    },
  }),
  endpoint(contract.rotateWebhookSecret, {
    write: async (tx, context) => {
      const { webhookId, overlapHours = overlap.standard } = context.body
      const secret = await rotateSecret(tx, context, { webhookId, overlapHours })
      return { code: 'WEBHOOK_ROTATE_OK', secret }
    },
  }),
  endpoint(contract.deleteWebhook, {
    write: async (tx, context) => {
      const undoId = await deleteWebhook(tx, context, context.body.webhookId)
      return { code: 'WEBHOOK_DELETE_OK', undoId }
    },
  }),
  endpoint(contract.deleteAllWebhooks, {
    write: async (tx, context) => ({ code: 'WEBHOOKS_DELETE_ALL_OK', ...(await deleteAllWebhooks(tx, context)) }),
  }),
  endpoint(contract.updateChatEvents, {
    write: async (tx, context) => {
      const { events, before } = context.body
      await setChatEvents(tx, context, { events, before })
      return { code: 'CHAT_EVENTS_UPDATE_OK' }
    },
  }),
]

const webhookReply = (webhook: Webhook, now: number) => ({
  id: webhook.id,
  webhookId: webhook.id,
  ...webhookFields(webhook),
  stoppedAt: webhook.stopped_at,
  failingSince: webhook.failing_since,
  rotatedUntil: Number(webhook.previous_until) > now ? webhook.previous_until : null,
  createdAt: webhook.created_at,
})
