import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Handshake, Link2, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { failureText } from '#web/api/errors.ts'
import { useIdle } from '#web/lazy/idle-loading.ts'
import { lazyPart } from '#web/lazy/lazy-part.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { notify } from '#web/browser/notify.ts'
import { NumberLink } from '#web/navigation/number-link.tsx'
import { paths } from '#web/navigation/paths.ts'
import { useSelectedApp } from '#web/session/use-account.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { MoreActions } from '#web/ui/more-actions.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Section } from '#web/ui/section.tsx'
import { Skeleton, useDelayed } from '#web/ui/skeleton.tsx'
import { StatStrip } from '#web/ui/stat-strip.tsx'
import { dialogNamed, useDialog } from '#web/navigation/use-dialog.ts'
import { builtInPlans } from '../resellers.rules.ts'
import { AssignedAppCard } from './assigned-app-card.tsx'
import { byDays } from './plan-board.tsx'
import { ResellerStatus } from './resellers-columns.tsx'
import { licensesInApp, licensesOfReseller, type Reseller, resellerQuery } from './resellers-data.ts'
import { resellerActions, resellerDialogs } from './resellers-menus.tsx'

// Below what the page opens with: its apps and plans.
const DomainSection = lazyPart(() => import('./domain-section.tsx'), 'DomainSection')
const CreditHistory = lazyPart(() => import('./credit-history.tsx'), 'CreditHistory')
const AssignAppDialog = lazyDialog(() => import('./assigned-app-dialogs.tsx'), 'AssignAppDialog')
const RemoveAppDialog = lazyDialog(() => import('./assigned-app-dialogs.tsx'), 'RemoveAppDialog')
const CustomPlanDialog = lazyDialog(() => import('./assigned-app-dialogs.tsx'), 'CustomPlanDialog')

/** One reseller: sales, assigned apps with what may be sold, and custom domain. */
export function ResellerDetailPage() {
  const { username = '' } = useParams({ strict: false }) as { username?: string }
  const { data, error } = useQuery(resellerQuery(username))
  const navigate = useNavigate()
  const failure = error && !data ? failureText(error, t`Failed to load reseller details`) : undefined
  useEffect(() => {
    if (failure === undefined) return
    notify.error(failure)
    void navigate({ to: paths.manageResellers(), replace: true })
  }, [failure, navigate])
  const isLate = useDelayed(data === undefined)
  if (data) return <ResellerDetail key={data.id} reseller={data} />
  return (
    <>
      <PageHeader title={username} />
      {isLate && (
        <div aria-hidden="true" className="flex flex-col gap-4">
          <Skeleton className="h-24 w-full rounded-lg" />
          <Skeleton className="h-3 w-32" />
          <Skeleton className="h-64 w-full rounded-lg" />
        </div>
      )}
    </>
  )
}

function ResellerDetail({ reseller }: { reseller: Reseller }) {
  const { username, email, createdDate, setUp, setupExpiresAt } = reseller
  const { open, close, name, row } = useDialog()
  const navigate = useNavigate()
  const leave = () => void navigate({ to: paths.manageResellers(), replace: true })
  const dialogs = resellerDialogs(appNamed(reseller, row))({ onDone: leave, onClose: close })
  return (
    <>
      <PageHeader
        title={username}
        badge={<ResellerStatus row={reseller} />}
        description={
          <span className="flex flex-wrap gap-x-2">
            {email !== '' && (
              <span translate="no" className="break-all">
                {email}
              </span>
            )}
            <span className="flex gap-1">
              {t`Created`} <TimeAgo at={createdDate} />
            </span>
          </span>
        }
        menu={<MoreActions entries={() => resellerActions(reseller, open)} />}
      />
      {!setUp && (
        <Notice>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span>{t`The setup link has not been used yet.`}</span>
            {setupExpiresAt !== null && <TimeLeft until={setupExpiresAt} />}
            <Button size="sm" icon={<Link2 />} onClick={() => open('setup-link')}>{t`New setup link`}</Button>
          </span>
        </Notice>
      )}
      <Stats reseller={reseller} />
      <div className="flex flex-col gap-5">
        <AssignedApps reseller={reseller} />
        <DomainSection resellerId={reseller.id} shown={useIdle()} placeholder={<DomainPlaceholder />} />
        <Card>
          <Section title={t`Transaction history`}>
            <Disclosure label={t`Credits of all apps`}>
              {() => (
                <CreditHistory
                  resellerId={reseller.id}
                  apps={reseller.assignedApps}
                  placeholder={<Skeleton className="h-24 w-full" />}
                />
              )}
            </Disclosure>
          </Section>
        </Card>
      </div>
      {dialogNamed(dialogs, name)?.(reseller)}
    </>
  )
}

const DomainPlaceholder = () => (
  <Card>
    <Section title={t`Custom domain`}>
      <Skeleton className="h-24 w-full" />
    </Section>
  </Card>
)

const appNamed = ({ assignedApps }: Reseller, appName: string | undefined) =>
  assignedApps.find((each) => each.appName === appName)?.appName

function Stats({ reseller: { id, stats } }: { reseller: Reseller }) {
  const number = (value: number) => value.toLocaleString(document.documentElement.lang)
  const rate = (stats.usage_rate / 100).toLocaleString(document.documentElement.lang, {
    style: 'percent',
    maximumFractionDigits: 1,
  })
  const own = licensesInApp(stats, useSelectedApp())
  const isAllInApp = own > 0 && own === stats.total
  const shown = number(own)
  const inApp = <NumberLink {...licensesOfReseller(id)}>{t`${shown} in this app`}</NumberLink>
  return (
    <StatStrip
      label={t`Licenses of this reseller`}
      stats={[
        {
          label: t`Total Licenses`,
          value: isAllInApp ? (
            <NumberLink {...licensesOfReseller(id)}>{number(stats.total)}</NumberLink>
          ) : (
            number(stats.total)
          ),
          note: !isAllInApp && (own > 0 ? inApp : t`in all apps`),
        },
        { label: t`Redeemed`, value: number(stats.used) },
        { label: t`Unused`, value: number(stats.unused) },
        { label: t`Usage Rate`, value: rate },
      ]}
    />
  )
}

function AssignedApps({ reseller }: { reseller: Reseller }) {
  const { assignedApps } = reseller
  const { open, close, name, row } = useDialog()
  const [customPlans, setCustomPlans] = useState<readonly string[]>([])
  const [first] = assignedApps
  const [opened, setOpened] = useState<readonly string[]>(first && assignedApps.length === 1 ? [first.appName] : [])
  const allowed = assignedApps.flatMap(({ allowedPlans }) => allowedPlans)
  const plans = [...new Set([...builtInPlans.map(String), ...allowed, ...customPlans])].toSorted(byDays)
  const removed = assignedApps.find(({ appName }) => appName === row)
  const assign = (
    <Button icon={<Plus />} onClick={() => open('assign-app')}>
      {t`Assign app`}
    </Button>
  )
  return (
    <section aria-labelledby="assigned-apps">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="assigned-apps" className="text-section font-semibold">{t`Assigned apps`}</h2>
        {assign}
      </div>
      {assignedApps.length === 0 ? (
        <Card>
          <EmptyState icon={<Handshake />} title={t`No apps assigned yet.`}>
            {t`Assign an app, give credits, and allow plans: then the reseller can sell.`}
          </EmptyState>
        </Card>
      ) : (
        <ul aria-label={t`Assigned apps`} className="flex flex-col gap-3">
          {assignedApps.map((app) => (
            <AssignedAppCard
              key={app.appId}
              reseller={reseller}
              app={app}
              plans={plans}
              isOpen={opened.includes(app.appName)}
              onToggle={() =>
                setOpened(
                  opened.includes(app.appName)
                    ? opened.filter((each) => each !== app.appName)
                    : [...opened, app.appName],
                )
              }
              open={open}
            />
          ))}
        </ul>
      )}
      {name === 'assign-app' && (
        <AssignAppDialog
          reseller={reseller}
          onAssigned={(appName) => setOpened([...opened, appName])}
          onClose={close}
        />
      )}
      {name === 'remove-app' && removed && (
        <RemoveAppDialog reseller={reseller} app={removed} onDone={close} onClose={close} />
      )}
      {name === 'custom-plan' && (
        <CustomPlanDialog onCreated={(plan) => setCustomPlans([...customPlans, plan])} onClose={close} />
      )}
    </section>
  )
}
