import type { Generated } from 'kysely'

export interface UsersTable {
  id: Generated<number>
  app_id: string
  username: string
  username_key: string
  password_hash: string | null
  email: Generated<string>
  hwid_hash: string | null
  ip: Generated<string>
  banned: Generated<number>
  paused: Generated<number>
  paused_at: number | null
  created_at: number
  last_login_at: number | null
}

export interface UserSubscriptionsTable {
  app_id: string
  user_id: number
  level: number
  /** Epoch seconds; null never ends. */
  expires_at: number | null
  license_id: number | null
  created_at: number
}

declare module '#database/schema.ts' {
  interface Schema {
    users: UsersTable
    user_subscriptions: UserSubscriptionsTable
  }
}
