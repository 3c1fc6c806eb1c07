import { randomUUID } from 'node:crypto'
import type { AppEvent, Tx } from '#database/database.ts'
import { hasPlanFeature } from '#features/plans/plans.reads.ts'
import { enqueueJobs, type NewJob } from '#server/jobs/jobs.ts'
import { randomText } from '#server/secrets/random-text.ts'
import { perServer, type Services } from '#server/services.ts'
import { maxRequestBytes } from '#server/network/outgoing.ts'
import { listOtherReceivers, listWebhooksOfApp } from './webhooks.reads.ts'
import { webhookEventOf } from './event-map.rules.ts'
import { listenerPrefix, listenerTopic } from './webhook-listeners.rules.ts'
import { insertListenerEvents, type QueuedMessage } from './webhook-listeners.writes.ts'
import { eventTitles, type WebhookEvent } from './webhooks.rules.ts'
import { insertDelivery } from './webhooks.writes.ts'

export const deliveryKind = 'webhook'

/** Marks deliveries to the app's chat link instead of a webhook. */
export const chatTarget = ''

export interface DeliveryPayload {
  appId: string
  webhookId: string
  deliveryId: number
}

export const laneOf = (appId: string, webhookId: string): string => `${appId}/${webhookId}`

/**
 * Emitted after the first event with deliveries and so heard after the last one. The lanes of all events are locked
 * then, in their order: two transactions that lock the same ones can't deadlock.
 */
const allHeard = 'webhooks.all-heard'

/** The receivers of an app's events. */
interface Subscriptions {
  /** Webhooks and the chat. */
  deliveries: ReadonlyMap<string, readonly string[]>
  listeners: ReadonlyMap<string, readonly string[]>
}

/** Written when all events of a transaction were heard. */
interface Outbox {
  jobs: NewJob[]
  /** By listener. */
  queued: Map<string, { appId: string; messages: QueuedMessage[] }>
}

const newOutbox = (): Outbox => ({ jobs: [], queued: new Map() })

const maxCached = 10_000
export const errorsPerMinute = 60

/** Turns events of apps into deliveries, in the same transaction. */
export class WebhookEvents {
  readonly #services: Services
  readonly #cache = new Map<string, Subscriptions>()
  /** Incremented by each change, so that values read before are not cached. */
  #generation = 0
  readonly #reports = new Set<Promise<void>>()
  /** The jobs of each transaction's deliveries, and the messages for listeners, until all its events were heard. */
  readonly #outboxes = new WeakMap<Tx, Outbox>()

  constructor(services: Services) {
    this.#services = services
    const { events } = services.db
    events.on('webhooks', (appId) => {
      this.#generation += 1
      if (appId === '*') this.#cache.clear()
      else this.#cache.delete(appId)
    })
  }

  /** Subscribes to all events; returns a function that unsubscribes. */
  start(): () => Promise<void> {
    const stop = this.#services.db.onEvent((tx, event) => this.#hear(tx, event))
    return async () => {
      await this.settled()
      stop()
    }
  }

  /**
   * Emits an event of a program's frequent call. While it is known that nobody subscribes to it, nothing happens: no
   * statement and no wait.
   */
  emitFrequent(tx: Tx, event: AppEvent): void {
    const known = this.#cache.get(event.appId)
    const type = webhookEventOf(event.type)
    if (type && !(known && !hasSubscriber(known, type))) tx.emit(event)
  }

  /**
   * Reports a rejected sign-in of a program. It is not an action and has no transaction unless a webhook subscribes to
   * it. The rate is limited, because anybody can cause it.
   */
  reportRejection(event: AppEvent): void {
    const known = this.#cache.get(event.appId)
    if (known && !hasSubscriber(known, 'sign_in.refused')) return
    const report = this.#report(event)
      .catch((error: unknown) => this.#services.log.error({ err: error }, 'could not report a rejected sign-in'))
      .finally(() => this.#reports.delete(report))
    this.#reports.add(report)
  }

  /** Resolves when all rejections reported before are in the outbox. */
  async settled(): Promise<void> {
    await Promise.all(this.#reports)
  }

  async #report(event: AppEvent): Promise<void> {
    const { db, rateLimits, clock } = this.#services
    if (!hasSubscriber(await this.#subscriptions(db.read, event.appId), 'sign_in.refused')) return
    const limit = { purpose: 'reported rejections', subject: event.appId, max: errorsPerMinute, seconds: 60 }
    if (rateLimits.count(limit, clock()) !== undefined) return
    await db.write(async (tx) => tx.emit(event))
  }

  async #hear(tx: Tx, event: AppEvent): Promise<void> {
    if (event.type === allHeard) return this.#writeOutbox(tx, event)
    const type = webhookEventOf(event.type)
    // A bulk action without changes is not announced.
    if (!type || event.names?.length === 0) return
    const subscriptions = await this.#subscriptions(tx.db, event.appId)
    if (!hasSubscriber(subscriptions, type)) return
    if (!(await hasPlanFeature(tx.db, event.ownerId, 'webhooks', event.at))) return
    const { appId, ownerId, at: now } = event
    const messages = eventsOfNames(event).map((part) => ({ messageId: newMessageId(), body: eventBody(type, part) }))
    const chatMessage = { messageId: newMessageId(), body: chatBody(type, event, this.#services.config.publicUrl) }
    const waiting = this.#outboxes.get(tx)
    const { jobs, queued } = waiting ?? newOutbox()
    for (const [webhookId, events] of subscriptions.deliveries) {
      if (!events.includes(type)) continue
      for (const message of webhookId === chatTarget ? [chatMessage] : messages)
        jobs.push(await addDelivery(tx, { ownerId, appId, webhookId, event: type, now, ...message }))
    }
    for (const [id, events] of subscriptions.listeners) {
      if (!events.includes(type)) continue
      const waitingFor = queued.get(id) ?? { appId, messages: [] }
      waitingFor.messages.push(...messages)
      queued.set(id, waitingFor)
    }
    if (waiting) return
    this.#outboxes.set(tx, { jobs, queued })
    tx.emit({ ...event, type: allHeard, details: {} })
  }

  async #writeOutbox(tx: Tx, { at }: AppEvent): Promise<void> {
    const { jobs, queued } = this.#outboxes.get(tx) ?? newOutbox()
    this.#outboxes.delete(tx)
    await enqueueJobs(tx, jobs, at)
    // In one order, as lanes.
    for (const [id, { appId, messages }] of [...queued].toSorted(([one], [other]) => (one < other ? -1 : 1)))
      if (await insertListenerEvents(tx.db, { appId, id }, messages)) tx.publish(`${listenerTopic}:${id}`)
  }

  /** Uses the given handle: a transaction that waits for a second connection could wait forever. */
  async #subscriptions(db: Parameters<typeof listWebhooksOfApp>[0], appId: string): Promise<Subscriptions> {
    const cached = this.#cache.get(appId)
    if (cached) return cached
    const generation = this.#generation
    const webhooks = await listWebhooksOfApp(db, appId)
    const others = await listOtherReceivers(db, appId)
    const receivers = [...webhooks.filter(({ stopped_at }) => stopped_at === null), ...others]
      .map(({ id, events }): [string, string[]] => [id, JSON.parse(events) as string[]])
      .filter(([, events]) => events.length > 0)
    const isListener = ([id]: [string, string[]]) => id.startsWith(listenerPrefix)
    const subscriptions: Subscriptions = {
      deliveries: new Map(receivers.filter((receiver) => !isListener(receiver))),
      listeners: new Map(receivers.filter(isListener)),
    }
    if (this.#cache.size >= maxCached) this.#cache.clear()
    if (generation === this.#generation) this.#cache.set(appId, subscriptions)
    return subscriptions
  }
}

const hasSubscriber = ({ deliveries, listeners }: Subscriptions, type: WebhookEvent): boolean =>
  [...deliveries.values(), ...listeners.values()].some((events) => events.includes(type))

export const newMessageId = (): string => `msg_${randomUUID().replaceAll('-', '')}`

interface NewDelivery {
  ownerId: string
  appId: string
  webhookId: string
  messageId: string
  event: string
  body: string
  now: number
}

/** Stores a delivery; returns its job. */
export async function addDelivery(tx: Tx, delivery: NewDelivery): Promise<NewJob> {
  const { ownerId, appId, webhookId, messageId, event, body, now } = delivery
  const deliveryId = await insertDelivery(tx.db, {
    app_id: appId,
    webhook_id: webhookId,
    message_id: messageId,
    event,
    body,
    state: 'waiting',
    attempts: 0,
    status: null,
    duration_ms: null,
    attempted_at: null,
    next_at: now,
    created_at: now,
  })
  const payload: DeliveryPayload = { appId, webhookId, deliveryId }
  return { kind: deliveryKind, lane: laneOf(appId, webhookId), owner: ownerId, payload, dueAt: now }
}

/** Bytes of a request for names; the rest is for the other fields. */
const maxNamesBytes = maxRequestBytes - 4096

/**
 * Splits a bulk action into events whose names fit into one message each. `part` and `parts` say when a receiver has
 * all that have the same `batch`.
 */
export function eventsOfNames({ names, ...event }: AppEvent): AppEvent[] {
  if (!names || names.length === 0) return [event]
  const parts: string[][] = []
  let bytes = Infinity
  for (const name of names) {
    const size = Buffer.byteLength(JSON.stringify(name)) + 1
    if (bytes + size > maxNamesBytes) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(name)
    bytes += size
  }
  const batch = `batch_${randomText(16)}`
  return parts.map((names, index) => ({
    ...event,
    details: { ...event.details, names, batch, part: index + 1, parts: parts.length },
  }))
}

/** `{type, timestamp, data}` of Standard Webhooks. */
export function eventBody(type: string, { appId, at, target, details }: Omit<AppEvent, 'type' | 'ownerId'>): string {
  const write = (more: object) =>
    JSON.stringify({ type, timestamp: new Date(at * 1000).toISOString(), data: { appId, target, ...more } })
  const body = write({ details })
  return Buffer.byteLength(body) <= maxRequestBytes ? body : write({})
}

const maxChatTargetLength = 200

/** Discord's format. Names come from customers, so mentions are disabled. */
function chatBody(type: WebhookEvent, { target, details, chat }: AppEvent, publicUrl: string): string {
  const quoted = (text: string) => `\`${text.replaceAll(/[`\p{C}]/gu, ' ').slice(0, maxChatTargetLength)}\``
  const reason = typeof details['code'] === 'string' ? ` (${details['code']})` : ''
  const about = () => {
    if (!chat) return `${quoted(target)}${reason}`
    const more = chat.more > 0 ? ` and ${chat.more} more` : ''
    const names = chat.names.map(quoted).join(', ')
    return `${chat.title}${names === '' ? '' : ` – ${names}${more}`}\n${publicUrl}${chat.path}`
  }
  return JSON.stringify({ content: `${eventTitles[type]}: ${about()}`, allowed_mentions: { parse: [] } })
}

export const webhookEvents = perServer((services) => new WebhookEvents(services))
