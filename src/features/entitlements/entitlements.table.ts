export interface UserSubscriptionsTable {
  app_id: string
  user_id: number
  level: number
  /** Epoch seconds; null never expires. */
  expires_at: number | null
  license_id: number | null
  created_at: number
}

declare module '#database/schema.ts' {
  interface Schema {
    user_subscriptions: UserSubscriptionsTable
  }
}
