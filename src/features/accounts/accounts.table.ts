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
  /** Sealed; without `totp_enabled_at` it is not confirmed yet. */
  totp_secret_sealed: string | null
  totp_enabled_at: number | null
  /** The newest 30-second step whose code was taken: each counts once. */
  totp_last_step: number | null
  /** A name of the IANA database; null is the browser's own. */
  time_zone: string | null
  /** In which mails are written; null until a browser said it. */
  language: string | null
  /** Epoch seconds: a browser that signed in before then is a stranger. */
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

/** A right password that still waits for the second factor. */
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
