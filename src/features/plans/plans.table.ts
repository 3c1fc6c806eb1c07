export interface PlansTable {
  name: string
  display_name: string
  price_cents: number
  position: number
  active: number
  /** -1 is unlimited, as in all limits except storage. */
  max_apps: number
  max_users_per_app: number
  max_licenses_per_app: number
  max_variables_per_app: number
  max_storage_mb: number
  /** JSON: names of the included features. */
  features: string
}

export type PlanNotice = 'week' | 'day' | 'ended'

/** Sent notices about a plan's end, so that each is sent only once. */
export interface PlanNoticesTable {
  account_id: string
  ends_at: number
  stage: PlanNotice
}

declare module '#database/schema.ts' {
  interface Schema {
    plans: PlansTable
    plan_notices: PlanNoticesTable
  }
}
