import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { partsGrid, smallHeight } from '#features/overview/web/chart-sizes.ts'
import { CountSentence } from '#features/overview/web/count-sentence.tsx'
import { comparisonText, currentText, previousText, spanOf } from '#features/overview/web/overview-texts.ts'
import { ChartCard, type ChartTable } from '#web/charts/chart-card.tsx'
import { chartColors } from '#web/charts/chart-colors.ts'
import { spanText } from '#web/charts/span-text.ts'
import type { TimePoint } from '#web/charts/plot.ts'
import { ChartLegend } from '#web/charts/chart-legend.tsx'
import { chartHeight } from '#web/charts/time-axes.tsx'
import { TimeChart } from '#web/charts/time-chart.tsx'
import { dayStamp } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { Card } from '#web/ui/card.tsx'
import type { Growth, GrowthMetric, GrowthPoint } from './dashboard-data.ts'
import { ownersBehind } from './dashboard-links.ts'

const color = chartColors.green

/** How the platform grows, day by day, above the days before. Each number and each range leads to its owners. */
export function GrowthCharts({ growth, isDimmed }: { growth: Growth; isDimmed: boolean }) {
  return (
    <div className={`transition-opacity ${isDimmed ? 'opacity-50' : ''}`} aria-busy={isDimmed}>
      <GrowthCard
        growth={growth}
        title={t`New owners`}
        metric="owners"
        countText={(count) => plural(count, { one: '# new owner', other: '# new owners' })}
        empty={t`No owners registered in this period.`}
      />
      <Card className={partsGrid}>
        <GrowthCard
          growth={growth}
          isPart
          title={t`New apps`}
          metric="apps"
          countText={(count) => plural(count, { one: '# new app', other: '# new apps' })}
          empty={t`No apps were created in this period.`}
        />
        <GrowthCard
          growth={growth}
          isPart
          title={t`New licenses`}
          metric="licenses"
          countText={(count) => plural(count, { one: '# new license', other: '# new licenses' })}
          empty={t`No licenses were created in this period.`}
        />
        <GrowthCard
          growth={growth}
          isPart
          title={t`New users`}
          metric="users"
          countText={(count) => plural(count, { one: '# new user', other: '# new users' })}
          empty={t`No users were added in this period.`}
        />
        <GrowthCard
          growth={growth}
          isPart
          title={t`Sign-ins`}
          metric="signIns"
          countText={(count) => plural(count, { one: '# sign-in', other: '# sign-ins' })}
          empty={t`No one signed in during this period.`}
        />
      </Card>
    </div>
  )
}

interface GrowthCardProps {
  growth: Growth
  title: string
  metric: GrowthMetric
  countText: (count: number) => string
  empty: string
  isPart?: boolean
}

function GrowthCard({ growth, title, metric, countText, empty, isPart = false }: GrowthCardProps) {
  const timeZone = useTimeZone()
  const navigate = useNavigate()
  const address = ownersBehind(metric, { period: spanOf(growth.points), timeZone })
  const seriesOf = (of: readonly GrowthPoint[]): TimePoint[] =>
    of.map((point) => ({ from: point.from, to: point.to, count: point[metric] }))
  const points = seriesOf(growth.points)
  const before = growth.previous ? seriesOf(growth.previous) : undefined
  const total = (of: readonly TimePoint[]) => of.reduce((sum, { count }) => sum + count, 0)
  const hasNothing = [...points, ...(before ?? [])].every(({ count }) => count === 0)
  const height = isPart ? smallHeight : chartHeight
  const length = { points: growth.points, hourly: false }
  const comparison = before ? comparisonText(total(points), total(before), { ...length }) : ''
  const kind = metric === 'signIns' ? 'area' : 'bars'
  return (
    <ChartCard
      title={title}
      description={!hasNothing && <CountSentence text={countText(total(points))} {...{ address, comparison }} />}
      fileName={title.toLowerCase().replaceAll(' ', '-')}
      table={growthTable({ title, points, before, timeZone, length })}
      empty={hasNothing ? empty : undefined}
      lang={i18n.locale}
      height={height}
      isPart={isPart}
      legend={
        !isPart &&
        !hasNothing && (
          <div className="flex min-h-4 flex-wrap justify-between gap-x-4 gap-y-1">
            {before ? (
              <ChartLegend {...{ kind, color }} now={currentText(length)} before={previousText(length)} />
            ) : (
              <span />
            )}
            <p
              data-print="no"
              className="text-meta text-text-3"
            >{t`Drag across a chart to see the owners behind it.`}</p>
          </div>
        )
      }
    >
      <TimeChart
        label={title}
        points={points}
        previous={before}
        kind={kind}
        color={color}
        isHourly={false}
        underWay="last"
        countText={countText}
        height={height}
        onSelect={(period) => void navigate(ownersBehind(metric, { period, timeZone }))}
      />
    </ChartCard>
  )
}

interface TableOptions {
  title: string
  points: readonly TimePoint[]
  before: readonly TimePoint[] | undefined
  timeZone: string
  length: Parameters<typeof previousText>[0]
}

const growthTable = ({ title, points, before, timeZone, length }: TableOptions): ChartTable => ({
  head: [t`Day`, title, ...(before ? [previousText(length)] : [])],
  rows: points.map(
    (point, at) => [spanText(point, false, timeZone), point.count, ...(before ? [before[at]?.count] : [])] as const,
  ),
  fileNames: points.map(({ from, to }) => dayStamp((from + to) / 2, timeZone)),
})
