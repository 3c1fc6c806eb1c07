import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { plansForSale } from '#features/resellers/resellers.rules.ts'
import { paths } from '#web/navigation/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import type { AssignedApp } from './assigned-apps.ts'
import { creditsQuery } from './reseller-data.ts'

/** How long the credits last, once they are low. Nothing while all plans for sale are free. */
export function LowCredits({ app }: { app: AssignedApp }) {
  const { data } = useQuery(creditsQuery(app.credits))
  const isPaid = plansForSale(app).some(({ cost }) => cost > 0)
  if (!data?.low || !isPaid) return null
  return (
    <Notice tone="danger">
      {lastingText(app.credits, data.daysLeft)}{' '}
      <Link to={paths.resellerCredits()} className="whitespace-nowrap underline underline-offset-2">
        {t`How to get more credits`}
      </Link>
    </Notice>
  )
}

function lastingText(credits: number, daysLeft: number | null): string {
  if (credits === 0) return t`You have no credits left.`
  if (daysLeft === null) return t`Your credits are running low.`
  if (daysLeft === 0) return t`At the pace of the last 30 days, your credits last less than a day.`
  return plural(daysLeft, {
    one: 'At the pace of the last 30 days, your credits last # more day.',
    other: 'At the pace of the last 30 days, your credits last # more days.',
  })
}
