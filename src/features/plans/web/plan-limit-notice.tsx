import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paths } from '#web/navigation/paths.ts'
import { planUsageQuery } from './plan-usage.ts'
import { Notice } from '#web/ui/notice.tsx'

interface PlanLimitNoticeProps {
  /** Undefined while it is not known. */
  used: number | null | undefined
  limit: number | 'unlimited' | undefined
  /** What is used, of what, with the name of the plan. */
  text: (used: string, limit: string, plan: string) => string
}

/** From 80 % of a limit of the plan: said before a form is filled in, with the way to a larger plan. */
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

/** What the account's plan allows; undefined before it is known. */
export const usePlanUsage = () => useQuery({ ...planUsageQuery, retry: false, staleTime: 60_000 }).data
