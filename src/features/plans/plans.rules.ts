import { type PlanFeature, planFeatures } from '#contract/plan-features.ts'
import type { Problem } from '#contract/errors.ts'
import { hasInvisible } from '#contract/visible-text.ts'
import { unlimitedPlanName } from '#features/accounts/accounts.rules.ts'
import type { plansErrors } from './plans.errors.ts'

/** What an owner's plan allows. Runs in the server and the dashboard. */

/** As the platform stores it; the wire says `unlimited`. */
export const unlimited = -1

export interface PlanLimits {
  apps: number
  usersPerApp: number
  licensesPerApp: number
  variablesPerApp: number
  /** Megabytes of 1,000,000 bytes; only the platform's own plan has no end. */
  storageMb: number
}

export interface Plan {
  /** Never changes: accounts refer to it. */
  name: string
  displayName: string
  /** US dollars a month; 0 is for ever. */
  price: number
  /** Where it stands among the plans, from 0. */
  order: number
  /** Whether it is offered; who has it keeps it. */
  active: boolean
  limits: PlanLimits
  features: Readonly<Record<PlanFeature, boolean>>
}

const withFeatures = (included: readonly PlanFeature[]): Plan['features'] =>
  Object.fromEntries(planFeatures.map((feature) => [feature, included.includes(feature)])) as Plan['features']

const withoutLimits = { usersPerApp: unlimited, licensesPerApp: unlimited, variablesPerApp: unlimited }

/** What Free has, so that the program it is tried with can be written: variables, a small file, acts on many rows. */
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

/** What "Initialize Default Plans" makes, and a new database has: the upgrade dialog's. */
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

/** Of who runs the platform: no row, so that nobody can sell, change or delete it. */
export const unlimitedPlan: Plan = {
  name: unlimitedPlanName,
  displayName: unlimitedPlanName,
  price: 0,
  order: 0,
  active: false,
  limits: { apps: unlimited, ...withoutLimits, storageMb: unlimited },
  features: withFeatures(planFeatures),
}

/** What a new plan has where nothing else is said. */
export const newPlan = {
  price: 0,
  order: 0,
  active: true,
  limits: { apps: 1, usersPerApp: 10, licensesPerApp: 25, variablesPerApp: 3, storageMb: 2 },
  features: withFeatures([]),
} as const

type PlanProblem = Problem<keyof typeof plansErrors> | undefined

/** Accounts and `DEFAULT_PLAN` name a plan, and so do addresses. */
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

/** How long a plan lasts that an administrator gives. */
export const planSeconds = 30 * 86_400

/** The name of the plan in force; one that has run out is Free again. `now` in epoch seconds. */
export function planNameOf(account: { plan: string; plan_expires_at: number | null }, now: number): string {
  return account.plan_expires_at === null || account.plan_expires_at > now ? account.plan : freePlan.name
}

/** When the plan in force ends, epoch seconds; null for the plan that stands in for one that is gone or has run out. */
export const planEndOf = (account: { plan: string; plan_expires_at: number | null }, inForce: string): number | null =>
  account.plan === inForce ? account.plan_expires_at : null

/** Whether `adding` more fit beside what is there. */
export const isWithinQuota = (limit: number, used: number, adding: number): boolean =>
  limit === unlimited || used + adding <= limit

export type UsageStatus = 'normal' | 'warning' | 'exceeded' | 'unlimited'

/** Normal below 80 % of the limit, a warning from 80 %, exceeded at 100 %. */
export function usageStatus(used: number, limit: number | 'unlimited'): UsageStatus {
  if (limit === 'unlimited' || limit === unlimited) return 'unlimited'
  if (used >= limit) return 'exceeded'
  // In whole numbers, so that 4 of 5 is exactly 80 %.
  return used * 100 >= limit * 80 ? 'warning' : 'normal'
}

/** A limit as the wire has it. */
export const limitOnWire = (limit: number): number | 'unlimited' => (limit === unlimited ? 'unlimited' : limit)
