import type { Generated } from 'kysely'

export interface AccountsTable {
  id: string
  username: string
  username_key: string
  email: string
  email_key: string
  display_name: string
  password_hash: string
  role: 'owner' | 'admin'
  plan: Generated<string>
  plan_expires_at: number | null
  banned: Generated<number>
  created_at: number
}

export interface AccountSessionsTable {
  id_hash: string
  handle: string
  account_id: string
  ip: string
  user_agent: string
  remember_me: number
  created_at: number
  last_used_at: number
  proved_at: number
  expires_at: number
  selected_app_id: string | null
}

export interface SetupTokensTable {
  token_hash: string
  expires_at: number
}

declare module '#database/schema.ts' {
  interface Schema {
    accounts: AccountsTable
    account_sessions: AccountSessionsTable
    setup_tokens: SetupTokensTable
  }
}
