import type { Feature } from '#server/http/endpoint.ts'
import { createWebhook } from './api/create-webhook.ts'
import { deleteAllWebhooks } from './api/delete-all-webhooks.ts'
import { deleteWebhook } from './api/delete-webhook.ts'
import { listWebhookDeliveries } from './api/list-webhook-deliveries.ts'
import { listWebhooks } from './api/list-webhooks.ts'
import { replayWebhookDelivery } from './api/replay-webhook-delivery.ts'
import { rotateWebhookSecret } from './api/rotate-webhook-secret.ts'
import { testWebhooks } from './api/test-webhooks.ts'
import { updateChatEvents } from './api/update-chat-events.ts'
import { updateWebhook } from './api/update-webhook.ts'
import { awaitListeners, listenerExpiry } from './listener-expiry.ts'
import { userExpiry } from './user-expiry.ts'
import { webhookJobs } from './webhook-deliveries.ts'
import { webhookEvents } from './webhook-events.ts'
import { webhooksContract } from './webhooks.contract.ts'

/** Requests that the server sends for an owner: calls by programs, and event notifications. */
export const webhooks: Feature = {
  name: 'webhooks',
  contract: webhooksContract,
  endpoints: [
    listWebhooks,
    createWebhook,
    updateWebhook,
    rotateWebhookSecret,
    deleteWebhook,
    deleteAllWebhooks,
    testWebhooks,
    listWebhookDeliveries,
    replayWebhookDelivery,
    updateChatEvents,
  ],
  appTables: ['webhooks', 'webhook_deliveries', 'chat_notifications', 'webhook_listeners', 'webhook_listener_events'],
  jobs: { ...webhookJobs, 'user-expiry': userExpiry, 'webhook-listener-expiry': listenerExpiry },
  start: async (services) => {
    awaitListeners(services)
    return webhookEvents(services).start()
  },
}
