import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { PlanLink } from './plan-link.tsx'
import { planUsageQuery } from './plan-usage.ts'
import { Notice } from '#web/ui/notice.tsx'

interface PlanLimitNoticeProps {
  /** Undefined while unknown. */
  used: number | null | undefined
  limit: number | 'unlimited' | undefined
  /** Text with the used amount, the limit and the plan's name. */
  text: (used: string, limit: string, plan: string) => string
}

/** Shown from 80% of a plan limit, before a form is filled in, with a link to compare plans. */
export function PlanLimitNotice({ used, limit, text }: PlanLimitNoticeProps) {
  const { data } = useQuery({ ...planUsageQuery, retry: false, staleTime: 60_000 })
  if (!data || typeof used !== 'number' || typeof limit !== 'number' || limit < 0) return null
  if (used * 100 < limit * 80) return null
  const shown = (count: number) => count.toLocaleString(document.documentElement.lang || 'en')
  return (
    <Notice tone={used < limit ? 'info' : 'danger'}>
      {text(shown(used), shown(limit), data.displayName)} <PlanLink />
    </Notice>
  )
}

/** Limits and usage of the account's plan; undefined until loaded. */
export const usePlanUsage = ({ staleTime = 60_000 } = {}) =>
  useQuery({ ...planUsageQuery, retry: false, staleTime }).data

/** How many more the plan allows; undefined while unknown or without a limit. */
export const roomLeft = (used: number | undefined, limit: number | 'unlimited' | undefined): number | undefined =>
  used === undefined || typeof limit !== 'number' || limit < 0 ? undefined : Math.max(0, limit - used)

/** Why nothing more can be created, for `disabledReason`; `PlanLimitNotice` on the same page says it too. */
export function useLimitReason(used: number | undefined, limit: number | 'unlimited' | undefined): string | undefined {
  const plan = usePlanUsage()?.displayName
  return plan !== undefined && roomLeft(used, limit) === 0 ? t`The limit of your ${plan} plan is reached` : undefined
}
