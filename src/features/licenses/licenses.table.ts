import type { Generated, GeneratedAlways } from 'kysely'

export interface LicensesTable {
  id: Generated<number>
  app_id: string
  license: string
  level: number
  /** Duration that redeeming the license grants, in seconds; 0 never expires. */
  duration_seconds: number
  notes: Generated<string>
  /** Display name of the creator; null for the owner. */
  generated_by: string | null
  reseller_id: string | null
  /** Credits the reseller paid for it; null for licenses of the owner. */
  price: number | null
  used: Generated<number>
  used_by: string | null
  used_by_user_id: number | null
  used_at: number | null
  /** Epoch seconds; null before redemption and for lifetime licenses. */
  expires_at: number | null
  banned: Generated<number>
  /** 0 unused, 1 used, 2 banned. */
  state: GeneratedAlways<number>
  created_at: number
}

export interface LicenseCountsTable {
  app_id: string
  stripe: number
  state: number
  count: number
}

export interface ResellerCountsTable {
  app_id: string
  reseller_id: string
  /** `used + 2 * banned` for licenses; 4 for users who redeemed some. */
  counted: number
  stripe: number
  count: number
}

export interface ResellerUsersTable {
  app_id: string
  reseller_id: string
  user_id: number
  /** Number of the reseller's licenses the user redeemed; 0 once they are deleted. */
  licenses: number
}

declare module '#database/schema.ts' {
  interface Schema {
    licenses: LicensesTable
    license_counts: LicenseCountsTable
    reseller_counts: ResellerCountsTable
    reseller_users: ResellerUsersTable
  }
}
