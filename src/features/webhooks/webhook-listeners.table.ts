import type { Generated } from 'kysely'

export interface WebhookListenersTable {
  app_id: string
  id: string
  /** Only this key can follow and end the listener. */
  seller_key_id: string
  /** JSON list of its events. */
  events: string
  /** Number of the newest event. Numbers are consecutive: where one is missing, the queue was full. */
  last_number: Generated<number>
  /** Bytes of all its events, also of those that are gone. */
  total_bytes: Generated<number>
  /** Updated while it is followed, about twice a minute. */
  followed_at: number
  created_at: number
}

export interface WebhookListenerEventsTable {
  app_id: string
  listener_id: string
  number: number
  /** The `webhook-id` of the standard. */
  message_id: string
  body: string
  /** `total_bytes` of the listener before this event. */
  bytes_before: number
}

declare module '#database/schema.ts' {
  interface Schema {
    webhook_listeners: WebhookListenersTable
    webhook_listener_events: WebhookListenerEventsTable
  }
}
