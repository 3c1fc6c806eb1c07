import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CreditCard, Settings2, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { LedgerAlarm, PlatformHealthCard } from '#features/status/web/platform-health.tsx'
import { failureText } from '#web/api/errors.ts'
import { paths } from '#web/navigation/paths.ts'
import { Card } from '#web/ui/card.tsx'
import { LoadFailed } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Section } from '#web/ui/section.tsx'
import { Skeleton, useDelayed } from '#web/ui/skeleton.tsx'
import { StatStrip } from '#web/ui/stat-strip.tsx'
import { adminStatsQuery } from './admin-data.ts'

/** Totals of the platform. */
export function AdminDashboardPage() {
  const { data, error, refetch } = useQuery(adminStatsQuery)
  const lang = document.documentElement.lang || 'en'
  const text = (count: number | undefined) => count?.toLocaleString(lang)
  const thisMonth = (count: number) => {
    const amount = count.toLocaleString(lang)
    return t`${amount} this month`
  }
  return (
    <>
      <PageHeader title={t`Admin Dashboard`} />
      <LedgerAlarm />
      {(data || !error) && (
        <StatStrip
          label={t`The platform in numbers`}
          stats={[
            { label: t`Total Owners`, value: text(data?.totals.owners), note: data && thisMonth(data.recent.owners) },
            { label: t`Total Apps`, value: text(data?.totals.apps), note: data && thisMonth(data.recent.apps) },
            { label: t`Total Users`, value: text(data?.totals.users) },
            { label: t`Total Licenses`, value: text(data?.totals.licenses) },
          ]}
        />
      )}
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <Card>
          <Section title={t`Plan Distribution`} description={t`Number of owners on each plan.`}>
            {error && !data && (
              <LoadFailed message={failureText(error, t`Failed to load statistics`)} onRetry={() => void refetch()} />
            )}
            {!data && !error && <Waiting />}
            <ul aria-label={t`Plan Distribution`} className="flex flex-col gap-4">
              {data?.plans.map(({ name, displayName, count }) => (
                <li key={name} className="min-w-0">
                  <div className="flex justify-between gap-3 text-ui">
                    <span className="truncate">{displayName}</span>
                    <span className="text-text-2 tabular-nums">{text(count)}</span>
                  </div>
                  <progress
                    aria-label={displayName}
                    value={count}
                    max={Math.max(1, data.totals.owners)}
                    className="mt-2 block h-1 w-full appearance-none overflow-hidden rounded-full bg-surface-3 [&::-moz-progress-bar]:bg-text-2 [&::-webkit-progress-bar]:bg-surface-3 [&::-webkit-progress-value]:bg-text-2"
                  />
                </li>
              ))}
            </ul>
          </Section>
        </Card>
        <PlatformHealthCard />
      </div>
      <nav aria-label={t`Quick actions`} className="mt-5 grid gap-3 md:grid-cols-3 md:gap-5">
        <QuickAction to={paths.adminOwners()} icon={<Users />} title={t`Manage Owners`}>
          {t`Plans, bans and accounts`}
        </QuickAction>
        <QuickAction to={paths.adminPlans()} icon={<CreditCard />} title={t`Manage Plans`}>
          {t`Prices, limits and features`}
        </QuickAction>
        <QuickAction to={paths.adminSettings()} icon={<Settings2 />} title={t`System Settings`}>
          {t`Platform, email, API and security`}
        </QuickAction>
      </nav>
    </>
  )
}

/** Placeholder for the initial number of plans. */
function Waiting() {
  const isShown = useDelayed(true)
  return (
    <div aria-hidden="true" className={`flex flex-col gap-4 ${isShown ? '' : 'invisible'}`}>
      {[1, 2, 3].map((n) => (
        <Skeleton key={n} className="h-8 w-full" />
      ))}
    </div>
  )
}

function QuickAction({ to, icon, title, children }: { to: string; icon: ReactNode; title: string; children: string }) {
  return (
    <Link
      to={to}
      className="flex items-center gap-3 rounded-lg border border-line bg-surface-1 p-4 hover:bg-surface-2 [&_svg]:size-5 [&_svg]:text-text-2"
    >
      {icon}
      <span className="min-w-0">
        <span className="block text-ui font-semibold">{title}</span>
        <span className="block text-meta text-text-2">{children}</span>
      </span>
    </Link>
  )
}
