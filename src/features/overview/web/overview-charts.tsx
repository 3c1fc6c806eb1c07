import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { rejectionTitle } from '#features/logs/web/rejection-texts.ts'
import { BarList, type RankedRow } from '#web/charts/bar-list.tsx'
import { ChartCard, type ChartTable } from '#web/charts/chart-card.tsx'
import { type ChartColor, chartColors } from '#web/charts/chart-colors.ts'
import { spanText } from '#web/charts/span-text.ts'
import { TimeChart, type TimePoint } from '#web/charts/time-chart.tsx'
import { dayStamp } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/time/time-zone.ts'
import { Skeleton, useDelayed } from '#web/ui/skeleton.tsx'
import { StatStrip } from '#web/ui/stat-strip.tsx'
import type { OverviewDays } from '../overview.rules.ts'
import type { Overview } from './overview-data.ts'

interface OverviewChartsProps {
  days: OverviewDays
  /** Undefined while loading: the layout is already final. */
  overview: Overview | undefined
  isDimmed: boolean
}

export function OverviewCharts({ days, overview, isDimmed }: OverviewChartsProps) {
  const timeZone = useTimeZone()
  const by = days === 1 ? t`Per hour` : t`Per day`
  const series = (pick: (point: Overview['points'][number]) => number): TimePoint[] | undefined =>
    overview?.points.map((point) => ({ from: point.from, to: point.to, count: pick(point) }))
  const shared = { days, timeZone }
  return (
    <div className={`transition-opacity ${isDimmed ? 'opacity-50' : ''}`} aria-busy={isDimmed || !overview}>
      <Totals overview={overview} />
      <div className="grid gap-4 lg:grid-cols-2">
        <TimeCard
          {...shared}
          title={t`Sign-ins`}
          description={by}
          fileName="sign-ins"
          points={series(({ signIns }) => signIns)}
          kind="area"
          color={chartColors.green}
          underWay="last"
          countText={(count) => plural(count, { one: '# sign-in', other: '# sign-ins' })}
          empty={t`No one signed in during this period.`}
          className="lg:col-span-2"
        />
        <TimeCard
          {...shared}
          title={t`Active users`}
          description={days === 1 ? t`Unique users who signed in, per hour` : t`Unique users who signed in, per day`}
          fileName="active-users"
          points={series(({ activeUsers }) => activeUsers)}
          kind="area"
          color={chartColors.blue}
          underWay="last"
          countText={(count) => plural(count, { one: '# active user', other: '# active users' })}
          empty={t`No one signed in during this period.`}
        />
        <TimeCard
          {...shared}
          title={t`New users`}
          description={by}
          fileName="new-users"
          points={series(({ newUsers }) => newUsers)}
          kind="bars"
          color={chartColors.blue}
          underWay="last"
          countText={(count) => plural(count, { one: '# new user', other: '# new users' })}
          empty={t`No users were added in this period.`}
        />
        <TimeCard
          {...shared}
          title={t`Activations`}
          description={days === 1 ? t`Licenses redeemed per hour` : t`Licenses redeemed per day`}
          fileName="activations"
          points={series(({ activations }) => activations)}
          kind="bars"
          color={chartColors.teal}
          underWay="last"
          countText={(count) => plural(count, { one: '# activation', other: '# activations' })}
          empty={t`No licenses were redeemed in this period.`}
        />
        <TimeCard
          {...shared}
          title={t`Licenses expiring soon`}
          description={
            days === 1
              ? t`In the next 24 hours`
              : plural(days, { one: 'In the next # day', other: 'In the next # days' })
          }
          fileName="expiring-licenses"
          points={overview?.expiring.map(({ from, to, licenses }) => ({ from, to, count: licenses }))}
          kind="bars"
          color={chartColors.amber}
          underWay="first"
          countText={(count) => plural(count, { one: '# license', other: '# licenses' })}
          empty={t`No licenses expire in this period.`}
        />
        <RankedCard
          title={t`Rejections by reason`}
          description={t`Program calls that were rejected`}
          fileName="rejections"
          nameHead={t`Reason`}
          rows={overview?.rejections.map(({ code, count }) => ({ id: code, label: rejectionTitle(code), count }))}
          color={chartColors.rose}
          empty={t`No calls were rejected in this period.`}
        />
        <CountriesCard overview={overview} />
      </div>
    </div>
  )
}

function Totals({ overview }: { overview: Overview | undefined }) {
  const sum = (pick: (point: Overview['points'][number]) => number): number =>
    overview?.points.reduce((all, point) => all + pick(point), 0) ?? 0
  const shown = (count: number) => overview && count.toLocaleString(i18n.locale)
  return (
    <StatStrip
      label={t`This period in numbers`}
      stats={[
        { label: t`Sign-ins`, value: shown(sum(({ signIns }) => signIns)) },
        { label: t`Active users`, value: shown(overview?.activeUsers ?? 0) },
        { label: t`New users`, value: shown(sum(({ newUsers }) => newUsers)) },
        { label: t`Activations`, value: shown(sum(({ activations }) => activations)) },
        { label: t`Rejected calls`, value: shown(sum(({ rejected }) => rejected)) },
      ]}
    />
  )
}

interface CardTexts {
  title: string
  description: string
  fileName: string
  empty: string
  color: ChartColor
}

interface TimeCardProps extends CardTexts {
  days: OverviewDays
  timeZone: string
  points: readonly TimePoint[] | undefined
  kind: 'area' | 'bars'
  underWay: 'first' | 'last'
  countText: (count: number) => string
  className?: string
}

function TimeCard(props: TimeCardProps) {
  const { title, description, fileName, points, days, timeZone, empty, kind, color, underWay, countText } = props
  const isHourly = days === 1
  const hasNothing = points?.every(({ count }) => count === 0) ?? false
  const head = [isHourly ? t`Hour` : t`Day`, title]
  return (
    <ChartCard
      title={title}
      description={description}
      fileName={fileName}
      table={points && timeTable(head, points, isHourly, timeZone)}
      empty={hasNothing ? empty : undefined}
      lang={i18n.locale}
      className={props.className ?? ''}
    >
      {points ? (
        <TimeChart
          label={title}
          points={points}
          kind={kind}
          color={color}
          isHourly={isHourly}
          underWay={underWay}
          countText={countText}
        />
      ) : (
        <ChartSkeleton />
      )}
    </ChartCard>
  )
}

function timeTable(
  head: readonly string[],
  points: readonly TimePoint[],
  isHourly: boolean,
  timeZone: string,
): ChartTable {
  return {
    head,
    rows: points.map((point) => [spanText(point, isHourly, timeZone), point.count]),
    fileNames: points.map(({ from, to }) =>
      isHourly ? new Date(from * 1000).toISOString() : dayStamp((from + to) / 2, timeZone),
    ),
  }
}

interface RankedCardProps extends CardTexts {
  nameHead: string
  rows: readonly (RankedRow & { label: string })[] | undefined
}

function RankedCard({ title, description, fileName, nameHead, rows, color, empty }: RankedCardProps) {
  const table = rows && {
    head: [nameHead, t`Count`],
    rows: rows.map(({ label, count }) => [label, count] as const),
    fileNames: rows.map(({ id, label }) => id || label),
  }
  return (
    <ChartCard
      title={title}
      description={description}
      fileName={fileName}
      table={table}
      empty={rows?.length === 0 ? empty : undefined}
      lang={i18n.locale}
    >
      {rows ? <BarList label={title} rows={rows} color={color} lang={i18n.locale} /> : <ChartSkeleton />}
    </ChartCard>
  )
}

function CountriesCard({ overview }: { overview: Overview | undefined }) {
  const names = new Intl.DisplayNames(i18n.locale, { type: 'region', fallback: 'code' })
  const nameOf = (country: string): string => {
    try {
      return names.of(country) ?? country
    } catch {
      return country
    }
  }
  const countries = overview?.countries
  const isUnknown = countries !== undefined && countries.length > 0 && countries.every(({ country }) => country === '')
  return (
    <RankedCard
      title={t`Top countries`}
      description={t`Sign-in locations`}
      fileName="countries"
      nameHead={t`Country`}
      rows={
        isUnknown
          ? []
          : countries?.map(({ country, count }) => ({
              id: country,
              label: country === '' ? t`Unknown` : nameOf(country),
              count,
            }))
      }
      color={chartColors.blue}
      empty={isUnknown ? t`The countries of these sign-ins are unknown.` : t`No one signed in during this period.`}
    />
  )
}

/** Same height as the chart it stands in for. */
function ChartSkeleton() {
  const isShown = useDelayed(true)
  return (
    <div aria-hidden="true" className={`flex h-full items-end gap-2 pb-6 ${isShown ? '' : 'invisible'}`}>
      {[38, 55, 46, 72, 60, 84, 66].map((height) => (
        <span key={height} className="flex grow items-end" style={{ height: `${height}%` }}>
          <Skeleton className="h-full w-full" />
        </span>
      ))}
    </div>
  )
}
