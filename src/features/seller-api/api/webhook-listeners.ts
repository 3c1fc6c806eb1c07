import { sellerKeyErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import { findKey } from '#features/seller-keys/seller-keys.reads.ts'
import { followedHere, unfollowedBefore } from '#features/webhooks/listener-expiry.ts'
import { listenerFeed } from '#features/webhooks/listener-feed.ts'
import { createListener, endListener, requireEventScopes } from '#features/webhooks/webhook-listeners.actions.ts'
import { findListener } from '#features/webhooks/webhook-listeners.reads.ts'
import { webhookListenersErrors } from '#features/webhooks/webhook-listeners.errors.ts'
import { defaultUserAgent } from '#features/webhooks/webhooks.rules.ts'
import { fixedHeaders } from '#server/network/outgoing.ts'
import { type Endpoint, endpoint } from '#server/http/endpoint.ts'
import { sellerWebhooksContract as contract } from '../seller-webhooks.contract.ts'

export const listenerCalls: readonly Endpoint[] = [
  endpoint(contract.createListener, {
    write: async (tx, context) => {
      const { services, body } = context
      const { id, events } = await createListener(tx, context, {
        events: body.events,
        unfollowedBefore: unfollowedBefore(services),
        followed: followedHere(services),
      })
      const headers = { ...fixedHeaders, 'user-agent': defaultUserAgent }
      return { code: 'LISTENER_CREATE_OK', listenerId: id, events, headers }
    },
  }),
  endpoint(contract.followListener, {
    listen: async ({ services, actor, app, params }, lastEventId) => {
      const { read } = services.db
      const listener = await findListener(read, { appId: app.id, id: params.listenerId, sellerKeyId: actor.id })
      if (!listener) return reject(webhookListenersErrors, 'LISTENER_NOT_FOUND')
      return listenerFeed(services, {
        listener,
        lastEventId,
        requireKey: async (events) => {
          const key = await findKey(read, actor.id)
          if (key?.active !== 1) reject(sellerKeyErrors, 'SELLER_KEY_PAUSED')
          requireEventScopes(JSON.parse(key.scopes) as string[], events)
        },
      })
    },
  }),
  endpoint(contract.deleteListener, {
    write: async (tx, context) => {
      await endListener(tx, context, context.params.listenerId)
      return { code: 'LISTENER_DELETE_OK' }
    },
  }),
]
