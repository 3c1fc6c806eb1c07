import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { rejectionTitle } from '#features/logs/web/rejection-texts.ts'
import { ChartCard, type ChartTable } from '#web/charts/chart-card.tsx'
import { chartColors } from '#web/charts/chart-colors.ts'
import { spanText, spanTick, type TimeSpan } from '#web/charts/span-text.ts'
import type { TimePoint } from '#web/charts/plot.ts'
import { ChartLegend } from '#web/charts/chart-legend.tsx'
import { chartHeight } from '#web/charts/time-axes.tsx'
import { TimeChart } from '#web/charts/time-chart.tsx'
import { nowSeconds } from '#web/time/clock.ts'
import { dayStamp } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { Card } from '#web/ui/card.tsx'
import { partsGrid, smallHeight } from './chart-sizes.ts'
import type { Overview, OverviewPoint } from './overview-data.ts'
import {
  activeUsersAddress,
  expiringAddress,
  type ListAddress,
  newUsersAddress,
  redeemedAddress,
  type Period,
  rejectionsAddress,
  signedInAddress,
  signInsAddress,
} from './overview-links.ts'
import { countLinkLook, CountSentence } from './count-sentence.tsx'
import { comparisonText, currentText, previousText, spanOf } from './overview-texts.ts'
import { CountriesCard, linkText, RankedCard } from './ranked-cards.tsx'

/** One hue for everything; rejections are what differs. */
const color = chartColors.green

interface OverviewChartsProps {
  overview: Overview
  isDimmed: boolean
  /** A range of the charts was selected. */
  onSelect: (range: TimeSpan) => void
}

type Metric = Exclude<keyof OverviewPoint, 'from' | 'to'>

export function OverviewCharts({ overview, isDimmed, onSelect }: OverviewChartsProps) {
  const timeZone = useTimeZone()
  const shown = { period: spanOf(overview.points), timeZone }
  const shared = { overview, timeZone, onSelect }
  const total = (metric: Metric, points = overview.points) => points.reduce((sum, point) => sum + point[metric], 0)
  const before = overview.previous
  const totalBefore = (metric: Metric) => before && total(metric, before.points)
  const rejected = total('rejected')
  return (
    <div className={`transition-opacity ${isDimmed ? 'opacity-50' : ''}`} aria-busy={isDimmed}>
      <ActivityCard
        {...shared}
        title={t`Sign-ins`}
        fileName="sign-ins"
        metric="signIns"
        result={{ count: total('signIns'), before: totalBefore('signIns'), address: signInsAddress(shown) }}
        countText={(count) => plural(count, { one: '# sign-in', other: '# sign-ins' })}
        empty={t`No one signed in during this period.`}
      />
      <Card className={partsGrid}>
        <RankedCard
          title={t`Rejections by reason`}
          description={
            rejected > 0 && (
              <Result
                overview={overview}
                countText={(count) => plural(count, { one: '# rejected call', other: '# rejected calls' })}
                result={{ count: rejected, before: totalBefore('rejected'), address: rejectionsAddress(shown) }}
              />
            )
          }
          fileName="rejections"
          nameHead={t`Reason`}
          rows={overview.rejections.map(({ code, count }) => {
            const label = rejectionTitle(code)
            return {
              id: code,
              label,
              count,
              link: { ...rejectionsAddress(shown, code), label: linkText(label, count) },
            }
          })}
          color={chartColors.rose}
          empty={t`No calls were rejected in this period.`}
        />
        <CountriesCard overview={overview} period={shown} />
        <ActivityCard
          {...shared}
          isPart
          title={t`Active users`}
          fileName="active-users"
          metric="activeUsers"
          result={activeUsersResult(overview, shown)}
          countText={(count) => plural(count, { one: '# active user', other: '# active users' })}
          empty={t`No one signed in during this period.`}
        />
        <ActivityCard
          {...shared}
          isPart
          title={t`New users`}
          fileName="new-users"
          metric="newUsers"
          kind="bars"
          result={{
            count: total('newUsers'),
            before: totalBefore('newUsers'),
            address: newUsersAddress(shown),
          }}
          countText={(count) => plural(count, { one: '# new user', other: '# new users' })}
          empty={t`No users were added in this period.`}
        />
        <ActivityCard
          {...shared}
          isPart
          title={t`Activations`}
          fileName="activations"
          metric="activations"
          kind="bars"
          result={{
            count: total('activations'),
            before: totalBefore('activations'),
            address: redeemedAddress(shown),
          }}
          countText={(count) => plural(count, { one: '# activation', other: '# activations' })}
          empty={t`No licenses were redeemed in this period.`}
        />
        <ExpiringCard overview={overview} timeZone={timeZone} />
      </Card>
    </div>
  )
}

interface CountResult {
  count: number
  /** Null if there is nothing to compare with. */
  before: number | null
  /** The list that the count is of, if there is one. */
  address?: ListAddress
  /** How many of the count `address` shows, if that is less; `all` then leads to the whole count. */
  listed?: { count: number; all: ListAddress }
}

/** Users who were deleted since are in the numbers over time, and in the log, but not in the list of users. */
function activeUsersResult(overview: Overview, shown: Period): CountResult {
  const { existingActiveUsers: existing, activeUsers, previous } = overview
  const result = { before: previous && previous.activeUsers, address: activeUsersAddress(shown) }
  if (existing === null || existing >= activeUsers) return { ...result, count: existing ?? activeUsers }
  return { ...result, count: activeUsers, listed: { count: existing, all: signedInAddress(shown) } }
}

interface ResultProps {
  overview: Overview
  countText: (count: number) => string
  result: CountResult
}

function Result({ overview, countText, result }: ResultProps) {
  const { count, before, address, listed } = result
  const comparison = before === null ? '' : comparisonText(count, before, overview)
  const all = count.toLocaleString(i18n.locale)
  return (
    <CountSentence
      text={countText(listed?.count ?? count)}
      also={listed && { text: t`${all} with those deleted since`, address: listed.all }}
      comparison={comparison}
      {...(address && { address })}
    />
  )
}

interface ActivityCardProps {
  overview: Overview
  timeZone: string
  title: string
  fileName: string
  metric: Metric
  kind?: 'area' | 'bars'
  result: CountResult
  countText: (count: number) => string
  empty: string
  isPart?: boolean
  onSelect: (range: TimeSpan) => void
}

/** A metric over time, with the period before and the result in a sentence. */
function ActivityCard(props: ActivityCardProps) {
  const { overview, timeZone, title, fileName, metric, kind = 'area', result, countText, empty, isPart = false } = props
  const { hourly, previous } = overview
  const seriesOf = (points: readonly OverviewPoint[]): TimePoint[] =>
    points.map((point) => ({ from: point.from, to: point.to, count: point[metric] }))
  const points = seriesOf(overview.points)
  const before = previous ? seriesOf(previous.points) : undefined
  const hasNothing = [...points, ...(before ?? [])].every(({ count }) => count === 0)
  const height = isPart ? smallHeight : chartHeight
  return (
    <ChartCard
      title={title}
      description={hasNothing ? null : <Result overview={overview} countText={countText} result={result} />}
      fileName={fileName}
      table={timeTable({ title, points, before, overview, timeZone })}
      empty={hasNothing ? empty : undefined}
      lang={i18n.locale}
      height={height}
      isPart={isPart}
      legend={!isPart && !hasNothing && <Legend {...{ overview, kind }} />}
    >
      <TimeChart
        label={title}
        points={points}
        previous={before}
        kind={kind}
        color={color}
        isHourly={hourly}
        underWay={spanOf(points).to > nowSeconds() ? 'last' : 'none'}
        countText={countText}
        height={height}
        onSelect={props.onSelect}
      />
    </ChartCard>
  )
}

/** Names the lines, and says that a range can be selected. */
function Legend({ overview, kind }: { overview: Overview; kind: 'area' | 'bars' }) {
  return (
    <div className="flex min-h-4 flex-wrap justify-between gap-x-4 gap-y-1">
      {overview.previous ? (
        <ChartLegend {...{ kind, color }} now={currentText(overview)} before={previousText(overview)} />
      ) : (
        <span />
      )}
      <p data-print="no" className="text-meta text-text-3">{t`Drag across a chart to zoom in.`}</p>
    </div>
  )
}

interface TimeTable {
  title: string
  points: readonly TimePoint[]
  before: readonly TimePoint[] | undefined
  overview: Pick<Overview, 'hourly' | 'points'>
  timeZone: string
}

function timeTable({ title, points, before, overview, timeZone }: TimeTable): ChartTable {
  const { hourly } = overview
  return {
    head: [hourly ? t`Hour` : t`Day`, title, ...(before ? [previousText(overview)] : [])],
    rows: points.map(
      (point, index) =>
        [spanText(point, hourly, timeZone), point.count, ...(before ? [before[index]?.count] : [])] as const,
    ),
    fileNames: points.map(({ from, to }) =>
      hourly ? new Date(from * 1000).toISOString() : dayStamp((from + to) / 2, timeZone),
    ),
  }
}

function ExpiringCard({ overview, timeZone }: { overview: Overview; timeZone: string }) {
  const { days, expiring } = overview
  const isHourly = days === 1
  const points = expiring.map(({ from, to, licenses }) => ({ from, to, count: licenses }))
  const all = points.reduce((sum, { count }) => sum + count, 0)
  const countText = (count: number) => plural(count, { one: '# license', other: '# licenses' })
  const title = t`Licenses expiring soon`
  const last = points.at(-1)
  const lastDay = last ? spanTick(last, false, timeZone) : ''
  const address = expiringAddress({ period: spanOf(expiring), timeZone }, overview.at)
  return (
    <ChartCard
      title={title}
      description={
        all > 0 && (
          <p>
            <Link to={address.to} search={address.search} className={countLinkLook}>
              {countText(all)}
            </Link>
            <span> {isHourly ? t`in the next 24 hours` : t`until ${lastDay}`}</span>
          </p>
        )
      }
      fileName="expiring-licenses"
      table={timeTable({ title, points, before: undefined, overview: { hourly: isHourly, points: [] }, timeZone })}
      empty={all === 0 ? t`No licenses expire in this period.` : undefined}
      lang={i18n.locale}
      height={smallHeight}
      isPart
    >
      <TimeChart
        label={title}
        points={points}
        kind="bars"
        color={color}
        isHourly={isHourly}
        underWay="first"
        countText={countText}
        height={smallHeight}
      />
    </ChartCard>
  )
}
