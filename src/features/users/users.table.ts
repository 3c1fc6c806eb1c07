import type { Generated, GeneratedAlways } from 'kysely'

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
  /** Epoch seconds; the remaining time of a paused user counts from here. */
  paused_at: number | null
  /** 0 plain, 1 paused, 2 banned. */
  state: GeneratedAlways<number>
  /** Epoch seconds; latest expiry of all subscriptions, maintained by triggers. 0 without one. */
  access_until: Generated<number>
  created_at: number
  last_login_at: number | null
}

export interface UserCountsTable {
  app_id: string
  stripe: number
  state: number
  count: number
}

declare module '#database/schema.ts' {
  interface Schema {
    users: UsersTable
    user_counts: UserCountsTable
  }
}
