import { Type } from 'typebox'
import { reply, strict, Text } from '#contract/fields.ts'
import { webhookListenersErrors } from '#features/webhooks/webhook-listeners.errors.ts'
import { webhooksContract } from '#features/webhooks/webhooks.contract.ts'
import { sellerCall } from './seller-call.contract.ts'

/** Calls with which a command line receives the webhook events of the app. */

const { LISTENER_NOT_FOUND, LISTENER_LIMIT_REACHED } = webhookListenersErrors
const Events = webhooksContract.updateChatEvents.body.properties.events
const params = Type.Object({ listenerId: Text(40, 1) })

export const sellerWebhooksContract = {
  createListener: sellerCall('POST /webhooks/listeners', {
    scope: 'logs:read',
    planFeature: 'webhooks',
    idempotent: true,
    summary:
      'Create a listener to webhook events, by default to all that the permissions of the key include. It ends when nobody has followed it for 2 minutes.',
    body: strict({ events: Type.Optional(Events) }),
    reply: reply({
      listenerId: Type.String(),
      events: Events,
      headers: Type.Record(Type.String(), Type.String(), {
        description: 'The headers of a delivery, besides those of its signature',
      }),
    }),
    successes: { LISTENER_CREATE_OK: 'Listener created successfully' },
    errors: { LISTENER_LIMIT_REACHED },
  }),
  followListener: sellerCall('GET /webhooks/listeners/{listenerId}/events', {
    scope: 'logs:read',
    planFeature: 'webhooks',
    summary:
      'Stream the events of a listener of this key as server-sent events: `ready` at once; `webhook` with `messageId` and `body`, as a webhook would get them; `missed` with the `count` of events that were dropped because the queue was full. Resumes after `Last-Event-ID`.',
    params,
    reply: reply({}),
    errors: { LISTENER_NOT_FOUND },
  }),
  deleteListener: sellerCall('DELETE /webhooks/listeners/{listenerId}', {
    scope: 'logs:read',
    summary: 'End a listener of this key.',
    params,
    reply: reply({}),
    successes: { LISTENER_DELETE_OK: 'Listener ended successfully' },
    errors: { LISTENER_NOT_FOUND },
  }),
}
