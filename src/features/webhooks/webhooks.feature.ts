import type { Feature } from '#server/http/endpoint.ts'
import { webhookCalls } from './api/webhooks.ts'
import { webhookDeliveryCalls } from './api/webhook-deliveries.ts'
import { testWebhooks } from './api/test-webhooks.ts'
import { awaitListeners, listenerExpiry } from './listener-expiry.ts'
import { userExpiry } from './user-expiry.ts'
import { webhookJobs } from './webhook-deliveries.ts'
import { webhookEvents } from './webhook-events.ts'
import { webhooksContract } from './webhooks.contract.ts'

/** Requests that the server sends for an owner: calls by programs, and event notifications. */
export const webhooks: Feature = {
  name: 'webhooks',
  contract: webhooksContract,
  endpoints: [...webhookCalls, testWebhooks, ...webhookDeliveryCalls],
  appTables: ['webhooks', 'webhook_deliveries', 'chat_notifications', 'webhook_listeners', 'webhook_listener_events'],
  jobs: { ...webhookJobs, 'user-expiry': userExpiry, 'webhook-listener-expiry': listenerExpiry },
  start: async (services) => {
    awaitListeners(services)
    return webhookEvents(services).start()
  },
}
