import { reject } from '#contract/errors.ts'
import { hasPassed } from '#server/clock/has-passed.ts'
import { type EventFeed, maxEventBytes, type StreamEvent } from '#server/http/event-stream.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { webhookListenersErrors } from './webhook-listeners.errors.ts'
import { findListener, listListenerEvents, type WebhookListener } from './webhook-listeners.reads.ts'
import { listenerTopic } from './webhook-listeners.rules.ts'
import { updateFollowed } from './webhook-listeners.writes.ts'
import type { WebhookEvent } from './webhooks.rules.ts'

const eventsPerRead = 50
const secondsBetweenUpdates = 30

interface ListenerFeed {
  listener: WebhookListener
  /** The last event that the reader received before it reconnected. */
  lastEventId: string | undefined
  /** Throws a call error when the key may no longer read these events. */
  requireKey: (events: readonly WebhookEvent[]) => Promise<void>
}

/**
 * The events of a listener, each with its number as the position to resume from. They stay in the queue until newer
 * ones take their place, because nothing says that a reader has received what was sent to it.
 */
export function listenerFeed(services: Services, { listener, lastEventId, requireKey }: ListenerFeed): EventFeed {
  const { db } = services
  const key = { appId: listener.app_id, id: listener.id }
  const chosen = JSON.parse(listener.events) as WebhookEvent[]
  const named = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0
  let position = Math.min(named, Number(listener.last_number))
  let isOpen = false
  let followedAt = Number(listener.followed_at)

  async function next(): Promise<StreamEvent[]> {
    if (!(await findListener(db.read, { ...key, sellerKeyId: listener.seller_key_id }))) notFound()
    const rows = await listListenerEvents(db.read, { ...key, after: position, limit: eventsPerRead })
    // After the read: the key could have been paused between the check of the stream and these events.
    await requireKey(chosen)
    const events: StreamEvent[] = isOpen ? [] : [{ event: 'ready', data: {} }]
    isOpen = true
    const first = Number(rows[0]?.number ?? 0)
    if (first > position + 1)
      events.push({ id: String(first - 1), event: 'missed', data: { count: first - 1 - position } })
    let bytes = 0
    for (const { number, message_id: messageId, body } of rows) {
      const data = { messageId, body }
      bytes += Buffer.byteLength(JSON.stringify(data))
      // At least one, which is always small enough. The rest of the portion before may still be unread.
      if (events.at(-1)?.event === 'webhook' && bytes > maxEventBytes / 2) break
      events.push({ id: String(number), event: 'webhook', data })
      position = Number(number)
    }
    return events
  }

  /** Keeps the listener, which would otherwise end. */
  async function beat(): Promise<void> {
    const now = epochSeconds(services)
    if (!hasPassed(secondsBetweenUpdates, followedAt, now)) return
    if (!(await db.write((tx) => updateFollowed(tx.db, key, now)))) notFound()
    followedAt = now
  }

  return { topic: { kind: listenerTopic, id: listener.id }, next, beat, hasPortions: true }
}

const notFound = (): never => reject(webhookListenersErrors, 'LISTENER_NOT_FOUND')
