export interface SubscriptionsTable {
  app_id: string
  level: number
  name: string
  active: number
  created_at: number
}

declare module '#database/schema.ts' {
  interface Schema {
    subscriptions: SubscriptionsTable
  }
}
