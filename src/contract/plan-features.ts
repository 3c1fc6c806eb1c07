/** What a plan includes or not, in the order of part 2 §3 Plan. */
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
