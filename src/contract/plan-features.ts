import { commonErrors } from './common-errors.ts'
import { reject } from './errors.ts'

/** What a plan includes or not, in the order in which plans show it. */
export const planFeatures = [
  'custom_variables',
  'file_upload',
  'advanced_analytics',
  'priority_support',
  'webhooks',
  'bulk_operations',
  'custom_branding',
] as const

export type PlanFeature = (typeof planFeatures)[number]

/** Refuses what the owner's plan doesn't include; the feature's code stands in `feature`. */
export function rejectPlanFeature(feature: PlanFeature): never {
  reject(commonErrors, 'PLAN_FEATURE_MISSING', { values: { feature }, details: { feature } })
}
