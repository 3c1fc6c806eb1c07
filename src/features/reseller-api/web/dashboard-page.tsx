import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, Coins, KeyRound, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { type AssignedApp, assignedAppsQuery } from './assigned-apps.ts'
import { call } from '#web/api/call.ts'
import { NumberLink } from '#web/navigation/number-link.tsx'
import { paths } from '#web/navigation/paths.ts'
import { useDialog } from '#web/navigation/use-dialog.ts'
import { CreditsAsOf } from './credits-left.tsx'
import { Card } from '#web/ui/card.tsx'
import { CountLine } from '#web/ui/count-line.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { QueryStale } from '#web/ui/query-stale.tsx'
import { Section } from '#web/ui/section.tsx'
import { levelLine, pausedLevelsText, sellableLevels, statsKey } from './reseller-data.ts'
import { LowCredits } from './low-credits.tsx'
import { ResellerPage } from './reseller-page.tsx'
import { SellCard } from './sell-card.tsx'

const GenerateForm = lazyDialog(() => import('./generate-form.tsx'), 'GenerateForm')

/** The reseller's landing page. */
export function DashboardPage() {
  return (
    <ResellerPage title={t`Dashboard`} withoutApp={t`Please select an app from the sidebar.`}>
      {(app) => <AppDashboard app={app} />}
    </ResellerPage>
  )
}

const number = (value: number) => value.toLocaleString(document.documentElement.lang || 'en')

function AppDashboard({ app }: { app: AssignedApp }) {
  const apps = useQuery(assignedAppsQuery)
  const stats = useQuery({
    queryKey: statsKey(),
    queryFn: async ({ signal }) => (await call('GET /reseller/licenses/stats', { signal })).stats,
  })
  const dialog = useDialog()
  const { appName, credits, allowedPlans } = app
  const levels = sellableLevels(app)
  const counts = stats.data
  const used = number(counts?.used ?? 0)
  const unused = number(counts?.unused ?? 0)
  return (
    <>
      <PageHeader title={t`Dashboard`} description={<span translate="no">{appName}</span>} />
      <LowCredits app={app} />
      <SellCard app={app} unused={counts?.unused} onSell={(plan) => dialog.open('sell', plan)} />
      <CountLine
        label={appName}
        counts={[
          {
            label: t`Available credits`,
            count: (
              <span className="text-violet">
                <NumberLink to={paths.resellerCredits()}>{number(credits)}</NumberLink>
              </span>
            ),
            note: <CreditsAsOf />,
          },
          {
            label: t`Licenses`,
            count: counts && <NumberLink to={paths.resellerLicenses()}>{number(counts.total)}</NumberLink>,
            note: counts && (
              <>
                <NumberLink to={paths.resellerLicenses()} search={{ 'f.redeemed': 'yes' }}>
                  {t`${used} redeemed`}
                </NumberLink>
                {' · '}
                <NumberLink to={paths.resellerLicenses()} search={{ 'f.redeemed': 'no' }}>
                  {t`${unused} unused`}
                </NumberLink>
              </>
            ),
          },
          {
            label: t`Allowed plans`,
            count: <NumberLink to={paths.resellerCredits()}>{number(allowedPlans.length)}</NumberLink>,
          },
          { label: t`Subscription levels`, count: number(levels.length) },
        ]}
      />
      {stats.error && !counts && (
        <Card className="mb-5">
          <QueryFailed query={stats} failure={t`Failed to load dashboard`} />
        </Card>
      )}
      <QueryStale query={apps.error ? apps : stats} failure={t`Failed to load dashboard`} />
      <Card>
        <Section title={t`Subscription levels`}>
          <Lines
            lines={levels.map((level) => levelLine(app, level))}
            empty={pausedLevelsText(app) ?? t`This app has no subscription yet.`}
          />
        </Section>
      </Card>
      <nav aria-label={t`Quick links`} className="mt-5 grid gap-4 sm:grid-cols-3">
        <QuickLink to={paths.resellerLicenses()} icon={<KeyRound />} title={t`Licenses`}>
          {t`Generate keys and see who redeemed them.`}
        </QuickLink>
        <QuickLink to={paths.resellerUsers()} icon={<Users />} title={t`Users`}>
          {t`See who redeemed your licenses, and reset their HWID.`}
        </QuickLink>
        <QuickLink to={paths.resellerCredits()} icon={<Coins />} title={t`Credits`}>
          {t`See how your credits were spent.`}
        </QuickLink>
      </nav>
      {dialog.name === 'sell' && <GenerateForm app={app} plan={dialog.row} onClose={dialog.close} />}
    </>
  )
}

function Lines({ lines, empty }: { lines: readonly string[]; empty: string }) {
  if (lines.length === 0) return <p className="text-ui text-text-2">{empty}</p>
  return (
    <ul className="flex flex-col">
      {lines.map((line) => (
        <li key={line} className="border-t border-line py-1.5 text-ui tabular-nums first:border-t-0">
          {line}
        </li>
      ))}
    </ul>
  )
}

interface QuickLinkProps {
  to: string
  icon: ReactNode
  title: string
  children: ReactNode
}

const QuickLink = ({ to, icon, title, children }: QuickLinkProps) => (
  <Link
    to={to}
    className="flex items-center gap-3 rounded-lg border border-line bg-surface-1 px-4 py-3 hover:border-line-strong [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-text-2"
  >
    {icon}
    <span className="min-w-0 grow">
      <span className="block text-ui font-semibold">{title}</span>
      <span className="block text-meta text-text-2">{children}</span>
    </span>
    <ChevronRight aria-hidden="true" />
  </Link>
)
