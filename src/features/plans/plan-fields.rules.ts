import { type PlanFeature, planFeatures } from '#contract/plan-features.ts'

/** The fields of a plan as forms and the audit have them, in one object; the calls have limits and features nested. */

export const planLimitNames = [
  'max_apps',
  'max_users_per_app',
  'max_licenses_per_app',
  'max_variables_per_app',
  'max_storage_mb',
] as const

type PlanLimitName = (typeof planLimitNames)[number]

export interface PlanFields extends Record<PlanLimitName, number>, Record<PlanFeature, boolean> {
  displayName: string
  /** US dollars per month. */
  price: number
  order: number
  active: boolean
}

type NestedPlan = Partial<Pick<PlanFields, 'displayName' | 'price' | 'order' | 'active'>> & {
  limits?: Partial<Pick<PlanFields, PlanLimitName>>
  features?: Partial<Pick<PlanFields, PlanFeature>>
}

/** The given fields in the format of the calls, and no others. */
export function nestedPlan(fields: Partial<PlanFields>): NestedPlan {
  const pick = (names: readonly (keyof PlanFields)[]) => {
    const entries = names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]])
    return entries.length > 0 ? (Object.fromEntries(entries) as object) : undefined
  }
  const all = {
    ...pick(['displayName', 'price', 'order', 'active']),
    limits: pick(planLimitNames),
    features: pick(planFeatures),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** Prices are stored in cents. */
export const storedPrice = (price: number): number => Math.round(price * 100) / 100
