import { commonErrors } from './common-errors.ts'
import { type CallError, callError } from './errors.ts'

/** Optional features of plans, in display order. */
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

/** Error for a feature that the owner's plan does not include; the code of the feature is in `feature`. */
export const planFeatureError = (feature: PlanFeature): CallError =>
  callError(commonErrors, 'PLAN_FEATURE_MISSING', { values: { feature }, details: { feature } })

export function rejectPlanFeature(feature: PlanFeature): never {
  throw planFeatureError(feature)
}
