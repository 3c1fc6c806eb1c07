import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AttentionFailed, AttentionSkeleton } from '#features/overview/web/attention-states.tsx'
import { ChartsSkeleton } from '#features/overview/web/charts-skeleton.tsx'
import { PeriodPicker } from '#features/overview/web/period-picker.tsx'
import { platformHealthQuery } from '#features/status/web/status-data.ts'
import { overallText } from '#features/status/web/status-labels.ts'
import { NumberLink } from '#web/navigation/number-link.tsx'
import { paths } from '#web/navigation/paths.ts'
import { useSearchParams, useSetSearchParams } from '#web/navigation/search-params.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { buttonStyle } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CountLine } from '#web/ui/count-line.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { QueryStale } from '#web/ui/query-stale.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { adminStatsQuery } from './admin-data.ts'
import { AdminNeeds } from './admin-needs.tsx'
import { daysOf, growthDays, growthQuery, needsQuery } from './dashboard-data.ts'
import { allOwners, ownersBehindMonth } from './dashboard-links.ts'
import { GrowthCharts } from './growth-charts.tsx'
import { PlanDistribution } from './plan-distribution.tsx'

/** What needs the administrator, how the platform grows, and who pays. */
export function AdminDashboardPage() {
  const query = useQuery(adminStatsQuery)
  const { data: stats, error } = query
  return (
    <>
      <PageHeader title={t`Admin Dashboard`} actions={<QuickActions />} />
      <Needs />
      <QueryStale query={query} failure={t`Failed to load statistics`} />
      {(stats || !error) && <Totals />}
      <Growth />
      {error && !stats && (
        <Card className="mt-4">
          <QueryFailed query={query} failure={t`Failed to load statistics`} />
        </Card>
      )}
      {stats && (
        <div className="mt-4">
          <PlanDistribution plans={stats.plans} />
        </div>
      )}
    </>
  )
}

function QuickActions() {
  const action = (to: string, text: string) => (
    <Link to={to} className={buttonStyle({})}>
      {text}
    </Link>
  )
  return (
    <nav aria-label={t`Quick actions`} className="flex gap-2.5 max-sm:shrink-0">
      {action(paths.adminOwners(), t`Manage Owners`)}
      {action(paths.adminPlans(), t`Manage Plans`)}
      {action(paths.adminSettings(), t`System Settings`)}
    </nav>
  )
}

function Needs() {
  const needs = useQuery(needsQuery)
  const health = useQuery(platformHealthQuery)
  const retry = () => {
    if (needs.error) void needs.refetch()
    if (health.error) void health.refetch()
  }
  if (needs.data && health.data)
    return (
      <>
        <QueryStale query={needs} failure={t`Failed to load what needs you`} />
        <QueryStale query={health} failure={t`Failed to load the status`} />
        <AdminNeeds needs={needs.data} health={health.data} />
        <p className="-mt-2 mb-5 flex flex-wrap gap-x-2 text-ui text-text-2">
          {overallText(health.data)}
          <Link
            to={paths.status()}
            className="text-text underline decoration-line-strong underline-offset-2 hover:decoration-current"
          >{t`System status`}</Link>
        </p>
      </>
    )
  if (needs.error || health.error)
    return <AttentionFailed title={t`What needs you`} busy={needs.isFetching || health.isFetching} onRetry={retry} />
  return <AttentionSkeleton />
}

function Totals() {
  const { data } = useQuery(adminStatsQuery)
  const timeZone = useTimeZone()
  const text = (count: number) => count.toLocaleString(i18n.locale)
  const thisMonth = (metric: 'owners' | 'apps', label: string, count: number) => {
    const amount = text(count)
    const note = t`${amount} this month`
    if (count === 0) return note
    return (
      <NumberLink {...ownersBehindMonth(metric, timeZone)} label={t`${label}: ${note}`}>
        {note}
      </NumberLink>
    )
  }
  const [name, apps] = [t`Total Owners`, t`Total Apps`]
  const shown = data ? text(data.totals.owners) : ''
  const owners = data && (
    <NumberLink {...allOwners()} label={t`${name}: ${shown}`}>
      {shown}
    </NumberLink>
  )
  return (
    <CountLine
      label={t`The platform in numbers`}
      counts={[
        { label: name, count: owners, note: data && thisMonth('owners', name, data.recent.owners) },
        { label: apps, count: data && text(data.totals.apps), note: data && thisMonth('apps', apps, data.recent.apps) },
        { label: t`Total Users`, count: data && text(data.totals.users) },
        { label: t`Total Licenses`, count: data && text(data.totals.licenses) },
      ]}
    />
  )
}

function Growth() {
  const days = daysOf(useSearchParams())
  const setParams = useSetSearchParams()
  const timeZone = useTimeZone()
  const query = useQuery(growthQuery(days, timeZone))
  const { data, error } = query
  // Keeps the previous charts while another period is loading, or if that fails.
  const [before, setBefore] = useState(data)
  if (data && data !== before) setBefore(data)
  const shown = data ?? before
  return (
    <section aria-labelledby="growth">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 id="growth" className="text-section font-semibold">{t`Growth`}</h2>
        <PeriodPicker
          offered={growthDays}
          days={days}
          onChange={(to) => void setParams({ days: String(to) }, { replace: true })}
        />
      </div>
      {error && !data && (
        <Card className="mb-4">
          <QueryFailed query={query} failure={t`Failed to load growth`} />
        </Card>
      )}
      <QueryStale query={query} failure={t`Failed to load growth`} />
      {shown ? <GrowthCharts growth={shown} isDimmed={!data} /> : !error && <ChartsSkeleton />}
    </section>
  )
}
