import type { Generated } from 'kysely'

export interface WebhooksTable {
  app_id: string
  id: string
  /** Empty without one. */
  name: Generated<string>
  url: string
  user_agent: string
  /** Programs may have it called only once somebody is signed in. */
  authenticated: number
  /** JSON list of the events that are delivered to it. */
  events: string
  secret_sealed: string
  /** Signs beside the present one until `previous_until`. */
  previous_sealed: string | null
  previous_until: number | null
  /** Nothing is delivered since then: the receiver wanted no more, or failed for days. */
  stopped_at: number | null
  /** Since when every delivery failed. */
  failing_since: number | null
  created_at: number
}

export interface WebhookDeliveriesTable {
  id: Generated<number>
  app_id: string
  /** Empty for messages to the app's chat link. */
  webhook_id: string
  /** The `webhook-id` of the standard: the same on each retry. */
  message_id: string
  event: string
  body: string
  state: DeliveryState
  attempts: number
  /** Of the last attempt. */
  status: number | null
  failure: Generated<string>
  answer: Generated<string>
  duration_ms: number | null
  attempted_at: number | null
  next_at: number | null
  created_at: number
}

export type DeliveryState = 'waiting' | 'delivered' | 'failed'

export interface ChatNotificationsTable {
  app_id: string
  /** JSON list of the events that the app's chat link gets a message about. */
  events: string
}

declare module '#database/schema.ts' {
  interface Schema {
    webhooks: WebhooksTable
    webhook_deliveries: WebhookDeliveriesTable
    chat_notifications: ChatNotificationsTable
  }
}
