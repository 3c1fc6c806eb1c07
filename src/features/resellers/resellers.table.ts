import type { Generated } from 'kysely'

export interface ResellersTable {
  id: string
  owner_id: string
  username: string
  username_key: string
  /** Null until the set-up link was used, like the password. */
  email: string | null
  email_key: string | null
  password_hash: string | null
  banned: Generated<number>
  setup_token_hash: string | null
  setup_expires_at: number | null
  created_at: number
  /** In which mails are written; null until a browser said it. */
  language: Generated<string | null>
  /** Epoch seconds: a browser that signed in before then is a stranger. */
  devices_since: Generated<number>
  /** The address that a link confirms; null, as the two below, while there is none. */
  pending_email: Generated<string | null>
  pending_email_token_hash: Generated<string | null>
  /** Epoch seconds. */
  pending_email_expires_at: Generated<number | null>
  /** Sealed; without `totp_enabled_at` it is not confirmed yet. */
  totp_secret_sealed: Generated<string | null>
  totp_enabled_at: Generated<number | null>
  /** The newest 30-second step whose code was taken: each counts once. */
  totp_last_step: Generated<number | null>
}

export interface ResellerSessionsTable {
  id_hash: string
  handle: Generated<string>
  reseller_id: string
  ip: string
  user_agent: string
  remember_me: number
  created_at: number
  last_used_at: number
  proved_at: Generated<number>
  expires_at: number
}

export interface ResellerRecoveryCodesTable {
  reseller_id: string
  code_hash: string
  used_at: number | null
}

/** A right password that still waits for the second factor. */
export interface ResellerPendingSignInsTable {
  token_hash: string
  reseller_id: string
  remember_me: number
  expires_at: number
}

export interface ResellerAppsTable {
  app_id: string
  reseller_id: string
  /** JSON: numbers of days as texts. */
  allowed_plans: string
  /** JSON: credits by plan. */
  plan_costs: string
  /** JSON: numbers of levels; none means all. */
  allowed_levels: string
  created_at: number
}

export interface ResellerDomainsTable {
  reseller_id: string
  domain: string
  company_name: string
  logo_url: string
  primary_color: string
  secondary_color: string
  /** What a TXT record must say before the domain counts. */
  proof: string
  proved_at: number | null
  /** When the name servers were last asked by themselves. Epoch seconds, as the two below. */
  checked_at: Generated<number>
  /** Of a proved one: since when its record is missing. */
  missing_since: Generated<number | null>
  /** Of one that was proved: since when it is not any more. */
  lost_at: Generated<number | null>
  created_at: number
}

declare module '#database/schema.ts' {
  interface Schema {
    resellers: ResellersTable
    reseller_sessions: ResellerSessionsTable
    reseller_recovery_codes: ResellerRecoveryCodesTable
    reseller_pending_sign_ins: ResellerPendingSignInsTable
    reseller_apps: ResellerAppsTable
    reseller_domains: ResellerDomainsTable
  }
}
