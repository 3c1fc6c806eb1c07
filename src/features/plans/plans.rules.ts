import { type PlanFeature, planFeatures } from '#contract/plan-features.ts'
import type { Problem } from '#contract/errors.ts'
import { hasInvisible } from '#contract/visible-text.ts'
import { unlimitedPlanName } from '#features/accounts/accounts.rules.ts'
import type { plansErrors } from './plans.errors.ts'

/** Limits and features of plans. Runs in the server and the dashboard. */

/** The stored value; the API returns `unlimited`. */
export const unlimited = -1

export interface PlanLimits {
  apps: number
  usersPerApp: number
  licensesPerApp: number
  variablesPerApp: number
  /** Megabytes of 1,000,000 bytes; unlimited only in the platform's own plan. */
  storageMb: number
}

export interface Plan {
  /** Never changes: accounts refer to it. */
  name: string
  displayName: string
  /** US dollars per month; 0 means free forever. */
  price: number
  /** Display position, from 0. */
  order: number
  /** Whether the plan is offered; owners who have it keep it. */
  active: boolean
  limits: PlanLimits
  features: Readonly<Record<PlanFeature, boolean>>
}

export const withFeatures = (included: readonly string[]): Plan['features'] =>
  Object.fromEntries(planFeatures.map((feature) => [feature, included.includes(feature)])) as Plan['features']

const withoutLimits = { usersPerApp: unlimited, licensesPerApp: unlimited, variablesPerApp: unlimited }

/** Features of Free, enough to build a trial program: variables, a small file, bulk actions. */
const basicFeatures = ['custom_variables', 'file_upload', 'bulk_operations'] as const

export const freePlan: Plan = {
  name: 'Free',
  displayName: 'Free',
  price: 0,
  order: 0,
  active: true,
  limits: { apps: 1, usersPerApp: 10, licensesPerApp: 25, variablesPerApp: 3, storageMb: 2 },
  features: withFeatures(basicFeatures),
}

/** The plans of a new database and of "Initialize Default Plans"; the upgrade dialog offers them. */
export const standardPlans: readonly Plan[] = [
  freePlan,
  {
    name: 'Developer',
    displayName: 'Developer',
    price: 9.99,
    order: 1,
    active: true,
    limits: { apps: 5, ...withoutLimits, storageMb: 500 },
    features: withFeatures([...basicFeatures, 'advanced_analytics', 'webhooks']),
  },
  {
    name: 'Pro',
    displayName: 'Pro',
    price: 24.99,
    order: 2,
    active: true,
    limits: { apps: unlimited, ...withoutLimits, storageMb: 5000 },
    features: withFeatures(planFeatures),
  },
]

/** The administrators' plan. It has no row, so it cannot be sold, changed or deleted. */
export const unlimitedPlan: Plan = {
  name: unlimitedPlanName,
  displayName: unlimitedPlanName,
  price: 0,
  order: 0,
  active: false,
  limits: { apps: unlimited, ...withoutLimits, storageMb: unlimited },
  features: withFeatures(planFeatures),
}

/** Defaults of a new plan. */
export const newPlan = {
  price: 0,
  order: 0,
  active: true,
  limits: { apps: 1, usersPerApp: 10, licensesPerApp: 25, variablesPerApp: 3, storageMb: 2 },
  features: withFeatures([]),
} as const

type PlanProblem = Problem<keyof typeof plansErrors> | undefined

/** Names are restricted because accounts, `DEFAULT_PLAN` and URLs contain them. */
export function planNameProblem(name: string): PlanProblem {
  if (name === '') return { code: 'PLAN_NAME_REQUIRED', field: 'name' }
  if (!/^[A-Za-z0-9_-]{1,50}$/.test(name)) return { code: 'PLAN_NAME_INVALID', field: 'name' }
  return name === unlimitedPlan.name ? { code: 'PLAN_NAME_TAKEN', field: 'name' } : undefined
}

export function displayNameProblem(displayName: string): PlanProblem {
  if (displayName === '') return { code: 'PLAN_DISPLAY_NAME_REQUIRED', field: 'displayName' }
  return hasInvisible(displayName) || displayName.length > 50
    ? { code: 'PLAN_DISPLAY_NAME_INVALID', field: 'displayName' }
    : undefined
}

/** Duration of a plan assigned by an administrator. */
export const planSeconds = 30 * 86_400

/** Name of the current plan; Free after expiry. `now` in epoch seconds. */
export function planNameOf(account: { plan: string; plan_expires_at: number | null }, now: number): string {
  return account.plan_expires_at === null || account.plan_expires_at > now ? account.plan : freePlan.name
}

/** When the current plan ends, epoch seconds; null if it replaces a deleted or expired plan. */
export const planEndOf = (account: { plan: string; plan_expires_at: number | null }, inForce: string): number | null =>
  account.plan === inForce ? account.plan_expires_at : null

/** How many more the limit allows. */
export const roomWithin = (limit: number, used: number): number =>
  limit === unlimited ? Infinity : Math.max(0, limit - used)

export type UsageStatus = 'normal' | 'warning' | 'exceeded' | 'unlimited'

/** Normal below 80% of the limit, a warning from 80%, exceeded at 100%. */
export function usageStatus(used: number, limit: number | 'unlimited'): UsageStatus {
  if (limit === 'unlimited' || limit === unlimited) return 'unlimited'
  if (used >= limit) return 'exceeded'
  // Integer arithmetic, so that 4 of 5 is exactly 80%.
  return used * 100 >= limit * 80 ? 'warning' : 'normal'
}

/** A limit as the API returns it. */
export const limitOnWire = (limit: number): number | 'unlimited' => (limit === unlimited ? 'unlimited' : limit)
