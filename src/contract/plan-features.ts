import { commonRefusals } from './common-refusals.ts'
import { refuse } from './refusals.ts'

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

const names: Record<PlanFeature, string> = {
  custom_variables: 'custom variables',
  file_upload: 'file uploads',
  advanced_analytics: 'advanced analytics',
  priority_support: 'priority support',
  webhooks: 'webhooks',
  bulk_operations: 'bulk operations',
  custom_branding: 'custom branding',
}

/** Refuses what the owner's plan doesn't include, by the feature's name; its code stands in `feature`. */
export function refusePlanFeature(feature: PlanFeature): never {
  const message = `Your plan does not include ${names[feature]}`
  refuse(commonRefusals, 'PLAN_FEATURE_MISSING', { values: { feature }, details: { feature }, message })
}
