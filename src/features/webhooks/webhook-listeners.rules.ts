import type { Scope } from '#features/seller-keys/seller-keys.rules.ts'
import { type WebhookEvent, webhookEvents } from './webhooks.rules.ts'

/** Listeners: command lines that receive the events of an app while a webhook is being developed. */

/** Of their IDs, different from that of webhooks. */
export const listenerPrefix = 'wl_'
/** Topic of the event bus: a listener has new events, or has ended. */
export const listenerTopic = 'webhook-listener'

export const maxListeners = 5
/** A listener that nobody follows for this long ends. */
export const unfollowedSeconds = 120
export const maxQueuedEvents = 1000
export const maxQueuedBytes = 1024 * 1024

/** The permission to read what an event contains: a new license key is nowhere in the log. */
function scopeOf(event: WebhookEvent): Scope {
  if (event.startsWith('license.')) return 'licenses:read'
  return event.startsWith('user.') ? 'users:read' : 'logs:read'
}

/** The first permission that these events need and the key lacks. An empty list grants full access. */
export function missingScope(scopes: readonly string[], events: readonly WebhookEvent[]): Scope | undefined {
  if (scopes.length === 0) return undefined
  return events.map(scopeOf).find((scope) => !scopes.includes(scope))
}

/** All events that a key with these permissions can listen to. */
export const eventsWithin = (scopes: readonly string[]): WebhookEvent[] =>
  webhookEvents.filter((event) => missingScope(scopes, [event]) === undefined)
