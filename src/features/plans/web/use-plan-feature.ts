import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { CallReply } from '#web/api/call-types.ts'
import { planUsageQuery } from './plan-usage.ts'

export type PlanFeature = keyof CallReply<'GET /profile/plan-usage'>['features']

/**
 * Why the owner's plan does not allow a part of the dashboard, for `disabledReason`; undefined if it does. Nothing is
 * disabled until the plan is loaded: the server checks in any case.
 */
export function usePlanReason(feature: PlanFeature): string | undefined {
  const { data } = useQuery({ ...planUsageQuery, retry: false, staleTime: 60_000 })
  if (!data || data.features[feature]) return undefined
  const plan = data.displayName
  return t`The ${plan} plan does not include this. See your profile for what other plans include.`
}
