import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarClock } from 'lucide-react'
import { paths } from '#web/navigation/paths.ts'
import { planUsageQuery } from './plan-usage.ts'
import { useTicking } from '#web/time/clock.ts'
import { dateTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { buttonStyle } from '#web/ui/button.tsx'

function whatStops(features: readonly string[], isOver: boolean): string {
  const [webhooks, brands] = [features.includes('webhooks'), features.includes('custom_branding')]
  if (webhooks && brands)
    return isOver
      ? t`Webhooks are no longer called, and your resellers' domains no longer show their own branding.`
      : t`After that, webhooks are not called and your resellers' domains do not show their own branding.`
  if (webhooks) return isOver ? t`Webhooks are no longer called.` : t`After that, webhooks are not called.`
  if (brands)
    return isOver
      ? t`Your resellers' domains no longer show their own branding.`
      : t`After that, your resellers' domains do not show their own branding.`
  return ''
}

/** Shown from a week before a plan ends until a month after: the lost features and a link to other plans. */
export function PlanEndBanner() {
  const { data } = useQuery({ ...planUsageQuery, retry: false, staleTime: 60_000 })
  const timeZone = useTimeZone()
  const end = data?.ending?.endsAt
  const isOver = useTicking((now) => end !== undefined && end <= now)
  if (!data?.ending) return null
  const { displayName: plan, endsAt, features } = data.ending
  const time = dateTimeText(endsAt, timeZone)
  return (
    <section
      aria-label={t`End of the plan`}
      data-print="no"
      className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5 border-b border-line bg-surface-2 px-4 py-1.5 md:px-6"
    >
      <CalendarClock aria-hidden="true" className="size-4 shrink-0 text-warn" />
      <p className="min-w-0 flex-1 basis-60 text-ui text-text">
        {isOver ? t`Your ${plan} plan ended on ${time}.` : t`Your ${plan} plan ends on ${time}.`}{' '}
        {whatStops(features, isOver)}
      </p>
      <Link to={paths.profile()} search={{ dialog: 'upgrade' }} className={buttonStyle({ size: 'sm' })}>
        {t`Compare plans`}
      </Link>
    </section>
  )
}
