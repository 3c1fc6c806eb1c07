import type { Generated } from 'kysely'

export interface WebhooksTable {
  app_id: string
  id: string
  /** Empty if there is no name. */
  name: Generated<string>
  url: string
  user_agent: string
  /** Programs must be signed in to call it. */
  authenticated: number
  /** JSON list of the events to deliver. */
  events: string
  secret_sealed: string
  /** Also signs until `previous_until`. */
  previous_sealed: string | null
  previous_until: number | null
  /** When delivery stopped: the receiver asked for it, or failed for days. */
  stopped_at: number | null
  /** Since when all deliveries have failed. */
  failing_since: number | null
  /** ID of the last delivery before its deletion, if it was restored: none up to it is sent. */
  deliver_after: Generated<number | null>
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
  /** Result of the last attempt. */
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
  /** JSON list of the events announced on the app's chat link. */
  events: string
}

declare module '#database/schema.ts' {
  interface Schema {
    webhooks: WebhooksTable
    webhook_deliveries: WebhookDeliveriesTable
    chat_notifications: ChatNotificationsTable
  }
}
