import type { ColumnType } from 'kysely'

export interface UserSubscriptionsTable {
  app_id: string
  user_id: number
  level: number
  /** Epoch seconds; null never expires. */
  expires_at: number | null
  /** The license that stops the user if it is banned: the one that gave time last. Null if time was given by hand. */
  license_id: number | null
  created_at: number
  /** JSON of `LicenseShare[]` if several licenses gave time, or one of them is banned; otherwise null. */
  shares: ColumnType<string | null, string | null | undefined, string | null>
}

declare module '#database/schema.ts' {
  interface Schema {
    user_subscriptions: UserSubscriptionsTable
  }
}
