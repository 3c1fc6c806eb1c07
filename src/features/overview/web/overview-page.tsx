import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Activity, RotateCw, TriangleAlert, X } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { failureText, requestIdOf } from '#web/api/errors.ts'
import { useHasRail } from '#web/browser/use-media.ts'
import type { TimeSpan } from '#web/charts/span-text.ts'
import { AppPage } from '#web/list/app-page.tsx'
import { paths } from '#web/navigation/paths.ts'
import { useSearchParams, useSetSearchParams } from '#web/navigation/search-params.ts'
import type { App } from '#web/session/session.ts'
import { Checklist } from '#features/first-run/web/checklist.tsx'
import { usePlanReason } from '#features/plans/web/use-plan-feature.ts'
import { dateTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState, LoadFailed } from '#web/ui/empty-state.tsx'
import { Filament } from '#web/ui/filament.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { hourSeconds, isHourly, overviewDays } from '../overview.rules.ts'
import { AttentionFailed, AttentionSkeleton } from './attention-states.tsx'
import { Attention } from './attention.tsx'
import { ChartsSkeleton } from './charts-skeleton.tsx'
import { OverviewCharts } from './overview-charts.tsx'
import {
  attentionQuery,
  isEmpty,
  isSamePeriod,
  type Overview,
  overviewQuery,
  periodOf,
  rangeParams,
  type ShownPeriod,
} from './overview-data.ts'
import { daysText, periodText } from './overview-texts.ts'
import { PeriodPicker } from './period-picker.tsx'
import { PlainOverview } from './plain-overview.tsx'

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

/** The overview if the plan includes it; otherwise what every plan includes. */
function PlannedOverview({ app }: { app: App }) {
  const missing = usePlanReason('advanced_analytics')
  return missing === undefined ? <AppOverview app={app} /> : <PlainOverview app={app} reason={missing} />
}

function AppOverview({ app }: { app: App }) {
  const period = periodOf(useSearchParams())
  const setParams = useSetSearchParams()
  const timeZone = useTimeZone()
  const hasRail = useHasRail()
  const refetchInterval = app.lastInitAt === null ? waitingMs : refetchMs
  const { data, error, isFetching, refetch } = useQuery({ ...overviewQuery(period, timeZone), refetchInterval })
  const attention = useQuery({ ...attentionQuery(), refetchInterval: refetchMs })
  // Keeps the previous numbers while another period is loading, or if that fails.
  const [before, setBefore] = useState(data)
  if (data && data !== before) setBefore(data)
  const shown = data ?? before
  const retry = () => {
    void refetch()
    if (attention.error) void attention.refetch()
  }
  const { range } = period
  const select = (to: TimeSpan | undefined) => void setParams(rangeParams(to))
  useEscape(range !== undefined, () => select(undefined))
  const isFirstUse = shown !== undefined && app.lastInitAt === null && isEmpty(shown)
  // Everything appears at once: a late part would push the others down.
  const isSettled = shown !== undefined && !attention.isPending
  return (
    <div className="relative">
      <Filament active={isFetching && shown !== undefined && !data} />
      <PageHeader
        title={t`Overview`}
        actions={
          <>
            {range && <RangeChip period={period} onReset={() => select(undefined)} />}
            <PeriodPicker
              offered={overviewDays}
              days={range ? undefined : period.days}
              onChange={(to) => void setParams({ days: String(to), ...rangeParams(undefined) })}
            />
          </>
        }
      />
      {error && shown && (
        <OutOfDate overview={shown} requested={period} error={error} busy={isFetching} onRetry={retry} />
      )}
      {error && !shown && (
        <Card>
          <LoadFailed
            message={failureText(error, t`Failed to load the overview`)}
            requestId={requestIdOf(error)}
            onRetry={retry}
          />
        </Card>
      )}
      {!isSettled && !(error && !shown) && (
        <>
          <AttentionSkeleton />
          <ChartsSkeleton />
        </>
      )}
      {isSettled && (
        <>
          {!hasRail && <Checklist placement="page" />}
          {shown.counting && (
            <Notice>{t`Older activity is still being counted: these numbers will grow for a moment.`}</Notice>
          )}
          {attention.data && !isFirstUse && <Attention attention={attention.data} />}
          {!attention.data && (
            <AttentionFailed
              title={t`What needs you`}
              busy={attention.isFetching}
              onRetry={() => void attention.refetch()}
            />
          )}
          {isFirstUse ? (
            <Card>
              <EmptyState
                icon={<Activity />}
                title={t`No program has run yet`}
                actions={<Link to={paths.connect()} className={buttonStyle({})}>{t`Show the code to paste`}</Link>}
              >
                {t`Sign-ins, activations and rejections are charted here over time after your program makes its first call.`}
              </EmptyState>
            </Card>
          ) : (
            <OverviewCharts overview={shown} isDimmed={!data} onSelect={select} />
          )}
          {shown.roundedDays && (
            <p className="mt-4 text-meta text-text-3">
              {t`Days in your time zone start at a fraction of an hour; here each one starts at the nearest full hour.`}
            </p>
          )}
        </>
      )}
    </div>
  )
}

/** Escape, unless something above the page takes it. */
function useEscape(isOn: boolean, run: () => void) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isCovered = document.querySelector('[role="dialog"], [role="menu"]') !== null
    if (event.key === 'Escape' && !event.defaultPrevented && !isCovered) run()
  })
  useEffect(() => {
    if (!isOn) return undefined
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [isOn])
}

/** The chosen range; its button goes back to the last days. */
function RangeChip({ period, onReset }: { period: ShownPeriod; onReset: () => void }) {
  const timeZone = useTimeZone()
  const { range, days } = period
  if (!range) return null
  const hours = (range.to - range.from) / hourSeconds
  const text = periodText(period, isHourly({ first: 0, last: hours }), timeZone)
  const usual = daysText(days)
  return (
    <span className="flex h-8 items-center gap-1 rounded-md border border-line bg-surface-2 pr-0.5 pl-2.5 text-ui font-medium text-text pointer-coarse:h-11">
      {text}
      <IconButton size="sm" label={t`Back to the last ${usual}`} icon={<X />} onClick={onReset} />
    </span>
  )
}

interface OutOfDateProps {
  overview: Overview
  requested: ShownPeriod
  error: unknown
  busy: boolean
  onRetry: () => void
}

/** Why the requested numbers could not be loaded, and the time and period of those shown. */
function OutOfDate({ overview, requested, error, busy, onRetry }: OutOfDateProps) {
  const timeZone = useTimeZone()
  const time = dateTimeText(overview.at, timeZone)
  const period = periodText(overview, overview.hourly, timeZone)
  return (
    <div
      role="alert"
      className="mb-4 flex flex-wrap items-center gap-x-2.5 gap-y-1 rounded-md tint-danger px-3 py-1.5 text-ui"
    >
      <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-danger" />
      <p className="flex min-w-0 grow basis-0 flex-wrap gap-x-2.5 py-0.5">
        <span className="font-medium text-danger">{failureText(error, t`Failed to load the overview`)}</span>{' '}
        <span>
          {isSamePeriod(overview, requested)
            ? t`These numbers are from ${time}.`
            : t`Still showing ${period} as of ${time}.`}
        </span>
      </p>
      <Button size="sm" icon={<RotateCw />} busy={busy} onClick={onRetry}>{t`Retry`}</Button>
    </div>
  )
}
