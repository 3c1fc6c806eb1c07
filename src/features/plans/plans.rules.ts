/** What an owner's plan allows (part 1 §3, §4, §9). Runs in the server and the dashboard. */

/** As the platform stores it; the wire says `unlimited` (conflicts C32). */
export const unlimited = -1

export type PlanName = 'Free' | 'Developer' | 'Pro'

export interface PlanLimits {
  apps: number
  usersPerApp: number
  licensesPerApp: number
  variablesPerApp: number
}

export interface Plan {
  name: PlanName
  /** US dollars a month; 0 is for ever. */
  pricePerMonth: number
  limits: PlanLimits
}

const withoutLimits = { usersPerApp: unlimited, licensesPerApp: unlimited, variablesPerApp: unlimited }

export const plans: Readonly<Record<PlanName, Plan>> = {
  Free: {
    name: 'Free',
    pricePerMonth: 0,
    limits: { apps: 1, usersPerApp: 10, licensesPerApp: 25, variablesPerApp: 3 },
  },
  Developer: { name: 'Developer', pricePerMonth: 9.99, limits: { apps: 5, ...withoutLimits } },
  Pro: { name: 'Pro', pricePerMonth: 24.99, limits: { apps: unlimited, ...withoutLimits } },
}

/** The plan in force; one that has run out is Free again (conflicts C87). `now` in epoch seconds. */
export function planOf(account: { plan: string; plan_expires_at: number | null }, now: number): Plan {
  const runs = account.plan_expires_at === null || account.plan_expires_at > now
  return runs && Object.hasOwn(plans, account.plan) ? plans[account.plan as PlanName] : plans.Free
}

/** Whether `adding` more fit beside what is there. */
export const hasRoom = (limit: number, used: number, adding: number): boolean =>
  limit === unlimited || used + adding <= limit

export type UsageStatus = 'normal' | 'warning' | 'exceeded' | 'unlimited'

/** Normal below 80 % of the limit, a warning from 80 %, exceeded at 100 % (part 1 §4). */
export function usageStatus(used: number, limit: number | 'unlimited'): UsageStatus {
  if (limit === 'unlimited' || limit === unlimited) return 'unlimited'
  if (used >= limit) return 'exceeded'
  // In whole numbers, so that 4 of 5 is exactly 80 %.
  return used * 100 >= limit * 80 ? 'warning' : 'normal'
}

/** A limit as the wire has it. */
export const limitOnWire = (limit: number): number | 'unlimited' => (limit === unlimited ? 'unlimited' : limit)
