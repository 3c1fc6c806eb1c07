import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paths } from '#web/navigation/paths.ts'
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
      {text(shown(used), shown(limit), data.displayName)}{' '}
      <Link
        to={paths.profile()}
        search={{ dialog: 'upgrade' }}
        className="whitespace-nowrap underline underline-offset-2"
      >
        {t`Compare plans`}
      </Link>
    </Notice>
  )
}

/** Limits and usage of the account's plan; undefined until loaded. */
export const usePlanUsage = () => useQuery({ ...planUsageQuery, retry: false, staleTime: 60_000 }).data
