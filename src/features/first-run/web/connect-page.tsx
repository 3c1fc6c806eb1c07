import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useHasRail } from '#web/browser/use-media.ts'
import { AppPage } from '#web/list/app-page.tsx'
import { paths } from '#web/navigation/paths.ts'
import type { App } from '#web/session/session.ts'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ClientTabs, useProgramSettings } from '#features/apps/web/client-tabs.tsx'
import { Checklist } from './checklist.tsx'
import { runsQuery, testKeyQuery } from './first-run-data.ts'
import { programRuns } from './program-runs.ts'
import { RunStep } from './run-step.tsx'
import { StepCard } from './step-card.tsx'
import { TestKeyStep } from './test-key-step.tsx'

/** From a new app to a program that a ban stops. */
export function ConnectPage() {
  return (
    <AppPage title={t`Connect`} withoutApp={t`Please select an app from the sidebar to connect a program to it.`}>
      {(app) => <Connect app={app} />}
    </AppPage>
  )
}

function Connect({ app }: { app: App }) {
  const hasRail = useHasRail()
  const key = useQuery(testKeyQuery(app))
  return (
    <>
      <PageHeader title={t`Connect`} description={t`Three steps to a program that runs only with a valid license.`} />
      {!hasRail && <Checklist placement="page" />}
      {key.data === undefined && !key.error && <ConnectSkeleton />}
      {key.data === undefined && key.error && (
        <Card>
          <QueryFailed query={key} failure={t`Failed to load licenses`} />
        </Card>
      )}
      {key.data !== undefined && <Steps app={app} testKey={key.data ?? undefined} />}
    </>
  )
}

function Steps({ app, testKey }: { app: App; testKey: string | undefined }) {
  const settings = useProgramSettings(app)
  const { data: runs } = useQuery(runsQuery(testKey))
  const hasKey = testKey !== undefined
  const hasRun = hasKey ? runs !== undefined && programRuns(runs).start !== undefined : app.lastInitAt !== null
  return (
    <div className={stepsGrid}>
      <div className="min-w-0 xl:col-span-2">
        <TestKeyStep app={app} testKey={testKey} />
      </div>
      <div className="min-w-0">
        <StepCard
          number={2}
          state={hasRun ? 'done' : hasKey ? 'now' : 'later'}
          title={t`Copy the program`}
          description={
            hasKey
              ? t`Paste it into an empty file and install the client. Your test key is in it.`
              : t`Paste it into an empty file and install the client. With a test key, it doesn't ask for one.`
          }
        >
          <ClientTabs settings={settings} licenseKey={testKey} />
        </StepCard>
      </div>
      <div className="min-w-0 xl:sticky xl:top-[calc(68px+var(--strip))]">
        {/* Another key has another history. */}
        <RunStep key={testKey} app={app} testKey={testKey} />
      </div>
      <p className="text-ui text-text-2">
        <Trans>
          The program for your customers asks for a license key. Copy it from{' '}
          <Link to={paths.settings()} className="text-text underline decoration-line-strong underline-offset-2">
            Settings
          </Link>
          .
        </Trans>
      </p>
    </div>
  )
}

/** The first step has a line of its own, so that the order is that of reading; the last one stays beside the code. */
const stepsGrid = 'grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_440px]'

const ConnectSkeleton = () => (
  <div aria-hidden="true" className={stepsGrid}>
    <Skeleton className="h-20 w-full xl:col-span-2" />
    <Skeleton className="h-96 w-full" />
    <Skeleton className="h-40 w-full" />
  </div>
)
