import { t } from '@lingui/core/macro'
import type { PlanFeature } from '#contract/plan-features.ts'

export const featureLabels = (): Record<PlanFeature, string> => ({
  custom_variables: t`Custom variables`,
  file_upload: t`File upload`,
  advanced_analytics: t`Advanced analytics`,
  priority_support: t`Priority support`,
  webhooks: t`Webhooks`,
  bulk_operations: t`Bulk operations`,
  custom_branding: t`Custom branding`,
})
