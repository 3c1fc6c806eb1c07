import type { Generated } from 'kysely'

export interface ResellersTable {
  id: string
  owner_id: string
  username: string
  username_key: string
  /** Null until the setup link is used, like the password. */
  email: string | null
  email_key: string | null
  password_hash: string | null
  banned: Generated<number>
  setup_token_hash: string | null
  setup_expires_at: number | null
  created_at: number
  /** Language of email; null until a browser has sent one. */
  language: Generated<string | null>
  /** Epoch seconds. Browsers that last signed in before this count as new devices. */
  devices_since: Generated<number>
  /** Email address awaiting confirmation; null, like the next two columns, if there is none. */
  pending_email: Generated<string | null>
  pending_email_token_hash: Generated<string | null>
  /** Epoch seconds. */
  pending_email_expires_at: Generated<number | null>
  /** Encrypted; not confirmed until `totp_enabled_at` is set. */
  totp_secret_sealed: Generated<string | null>
  totp_enabled_at: Generated<number | null>
  /** The latest 30-second step with an accepted code: each code works only once. */
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

/** A sign-in with a correct password that awaits the second factor. */
export interface ResellerPendingSignInsTable {
  token_hash: string
  reseller_id: string
  remember_me: number
  expires_at: number
}

export interface ResellerAppsTable {
  app_id: string
  reseller_id: string
  /** JSON: numbers of days as strings. */
  allowed_plans: string
  /** JSON: credits by plan. */
  plan_costs: string
  /** JSON: level numbers; an empty list allows all. */
  allowed_levels: string
  /** JSON: when each of these levels was created, by number; null in older rows. A level without a time is any with its number. */
  allowed_level_times: Generated<string | null>
  created_at: number
}

export interface ResellerDomainsTable {
  reseller_id: string
  domain: string
  company_name: string
  logo_url: string
  primary_color: string
  secondary_color: string
  /** The value that the TXT record must contain. */
  proof: string
  proved_at: number | null
  /** When the daily check last ran or a manual check succeeded. Epoch seconds, like the next two columns. */
  checked_at: Generated<number>
  /** When the record of a verified domain was first found missing. */
  missing_since: Generated<number | null>
  /** When the domain lost its verification. */
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
