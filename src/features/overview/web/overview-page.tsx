import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Activity, RotateCw, TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { failureText, requestIdOf } from '#web/api/errors.ts'
import { AppPage } from '#web/list/app-page.tsx'
import { paths } from '#web/navigation/paths.ts'
import { useSearchParams, useSetSearchParams } from '#web/navigation/search-params.ts'
import type { App } from '#web/session/session.ts'
import { usePlanReason } from '#features/plans/web/use-plan-feature.ts'
import { dateTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/time/time-zone.ts'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState, LoadFailed } from '#web/ui/empty-state.tsx'
import { Filament } from '#web/ui/filament.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { type OverviewDays, overviewDays } from '../overview.rules.ts'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'
import { OverviewCharts } from './overview-charts.tsx'
import { daysOf, isEmpty, madeQuery, type Overview, overviewQuery } from './overview-data.ts'

const refetchMs = 60_000
/** Refetch interval until the first program has started. */
const waitingMs = 5000

export function OverviewPage() {
  const withoutApp = t`Please select an app from the sidebar to see what its programs do.`
  return (
    <AppPage title={t`Overview`} withoutApp={withoutApp}>
      {(app) => <PlannedOverview app={app} />}
    </AppPage>
  )
}

/** The overview if the plan includes it; otherwise the reason and an alternative. */
function PlannedOverview({ app }: { app: App }) {
  const missing = usePlanReason('advanced_analytics')
  return missing === undefined ? <AppOverview app={app} /> : <WithoutOverview app={app} reason={missing} />
}

function WithoutOverview({ app, reason }: { app: App; reason: string }) {
  const steps = useFirstSteps(app)
  const { data: made } = useQuery({ ...madeQuery(), enabled: steps.shown })
  return (
    <>
      <PageHeader title={t`Overview`} />
      {steps.shown && made && <FirstSteps app={app} made={made} onDismiss={steps.dismiss} />}
      <Card>
        <EmptyState
          icon={<Activity />}
          title={t`Your plan does not include the overview`}
          actions={
            <>
              <Link to={paths.logs()} className={buttonStyle({})}>{t`Show the logs`}</Link>
              <Link to={paths.profile()} className={buttonStyle({ variant: 'primary' })}>{t`Compare plans`}</Link>
            </>
          }
        >
          {reason}
        </EmptyState>
      </Card>
    </>
  )
}

function AppOverview({ app }: { app: App }) {
  const days = daysOf(useSearchParams()['days'])
  const setParams = useSetSearchParams()
  const timeZone = useTimeZone()
  const steps = useFirstSteps(app)
  const { data, error, isFetching, refetch } = useQuery({
    ...overviewQuery(days, timeZone),
    refetchInterval: app.lastInitAt === null ? waitingMs : refetchMs,
  })
  // Keeps the previous numbers while another period is loading, or if that fails.
  const [before, setBefore] = useState(data)
  if (data && data !== before) setBefore(data)
  const shown = data ?? before
  const retry = () => void refetch()
  const isFirstUse = shown !== undefined && app.lastInitAt === null && isEmpty(shown)
  return (
    <div className="relative">
      <Filament active={isFetching && shown !== undefined && !data} />
      <PageHeader
        title={t`Overview`}
        actions={<PeriodPicker days={days} onChange={(to) => void setParams({ days: String(to) })} />}
      />
      {steps.shown && shown && <FirstSteps app={app} made={shown} onDismiss={steps.dismiss} />}
      {error && shown && (
        <OutOfDate overview={shown} requested={days} error={error} busy={isFetching} onRetry={retry} />
      )}
      {shown?.counting && (
        <Notice>{t`Older activity is still being counted: these numbers will grow for a moment.`}</Notice>
      )}
      {error && !shown && (
        <Card>
          <LoadFailed
            message={failureText(error, t`Failed to load the overview`)}
            {...requestIdProps(error)}
            onRetry={retry}
          />
        </Card>
      )}
      {isFirstUse && (
        <Card>
          <EmptyState
            icon={<Activity />}
            title={t`No program has run yet`}
            actions={<Link to={paths.settings()} className={buttonStyle({})}>{t`Show the code to paste`}</Link>}
          >
            {t`Sign-ins, activations and rejections are charted here over time after your program makes its first call.`}
          </EmptyState>
        </Card>
      )}
      {!isFirstUse && !(error && !shown) && (
        <OverviewCharts days={shown?.days ?? days} overview={shown} isDimmed={!data && shown !== undefined} />
      )}
      {shown?.roundedDays && (
        <p className="mt-4 text-meta text-text-3">
          {t`Days in your time zone start at a fraction of an hour; here each one starts at the nearest full hour.`}
        </p>
      )}
    </div>
  )
}

function requestIdProps(error: unknown): { requestId?: string } {
  const requestId = requestIdOf(error)
  return requestId === undefined ? {} : { requestId }
}

const periodText = (days: OverviewDays): string =>
  days === 1 ? t`24 hours` : plural(days, { one: '# day', other: '# days' })

function PeriodPicker({ days, onChange }: { days: OverviewDays; onChange: (days: OverviewDays) => void }) {
  const name = useId()
  return (
    <fieldset className="flex rounded-md border border-line bg-surface-1 p-0.5">
      <legend className="sr-only">{t`Period`}</legend>
      {overviewDays.map((each) => (
        <label
          key={each}
          className="relative flex h-7 items-center rounded-sm px-2.5 text-ui whitespace-nowrap text-text-2 hover:text-text has-checked:bg-surface-3 has-checked:font-medium has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-focus pointer-coarse:h-10"
        >
          <input
            type="radio"
            name={name}
            checked={each === days}
            onChange={() => onChange(each)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {periodText(each)}
        </label>
      ))}
    </fieldset>
  )
}

interface OutOfDateProps {
  overview: Overview
  requested: OverviewDays
  error: unknown
  busy: boolean
  onRetry: () => void
}

/** Why the requested numbers could not be loaded, and the time and period of those shown. */
function OutOfDate({ overview, requested, error, busy, onRetry }: OutOfDateProps) {
  const time = dateTimeText(overview.at, useTimeZone())
  const period = periodText(overview.days)
  return (
    <div
      role="alert"
      className="mb-4 flex flex-wrap items-center gap-x-2.5 gap-y-1 rounded-md tint-danger px-3 py-1.5 text-ui"
    >
      <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-danger" />
      <p className="flex min-w-0 grow basis-0 flex-wrap gap-x-2.5 py-0.5">
        <span className="font-medium text-danger">{failureText(error, t`Failed to load the overview`)}</span>{' '}
        <span>
          {overview.days === requested ? t`These numbers are from ${time}.` : t`Still showing ${period} as of ${time}.`}
        </span>
      </p>
      <Button size="sm" icon={<RotateCw />} busy={busy} onClick={onRetry}>{t`Retry`}</Button>
    </div>
  )
}
