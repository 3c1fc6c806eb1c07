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
  /** Sealed. Not confirmed while `totp_enabled_at` is null. */
  totp_secret_sealed: string | null
  totp_enabled_at: number | null
  /** Newest 30-second step whose code was accepted: each step is accepted once. */
  totp_last_step: number | null
  /** IANA time zone; null for that of the browser. */
  time_zone: string | null
  /** Language of emails; null until a browser has reported one. */
  language: string | null
  /** Epoch seconds: device cookies issued earlier are not valid. */
  devices_since: Generated<number>
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

export interface RecoveryCodesTable {
  account_id: string
  code_hash: string
  used_at: number | null
}

/** A sign-in with a correct password that still needs its second factor. */
export interface PendingSignInsTable {
  token_hash: string
  account_id: string
  remember_me: number
  expires_at: number
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
    recovery_codes: RecoveryCodesTable
    pending_sign_ins: PendingSignInsTable
  }
}
