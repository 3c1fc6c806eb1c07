import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { failureText } from '#web/api/errors.ts'
import { ChartCard } from '#web/charts/chart-card.tsx'
import { chartColors } from '#web/charts/chart-colors.ts'
import { spanText, type TimeSpan } from '#web/charts/span-text.ts'
import { TimeChart } from '#web/charts/time-chart.tsx'
import type { TableState } from '#web/table/use-table-state.ts'
import { nowSeconds } from '#web/time/clock.ts'
import { readTimeRange, timeRangeBounds, timeSpanParam } from '#web/time/time-range.ts'
import { dateTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { Button } from '#web/ui/button.tsx'
import { arePartsOfDays, bucketEdges, type LogPeriod, mostBars, mostBarsOnPhones } from './log-buckets.ts'
import { histogramQuery, logList, type LogPage } from './logs-data.ts'

const height = 112
const daySeconds = 86_400
/** Of a log that has just begun, in seconds. */
const shortest = 3600
/** While new entries come in. Counting them costs more than adding them to the list. */
const refreshMs = 5000

export interface LogHistogramProps {
  state: TableState
  /** Undefined until the list is loaded. */
  page: LogPage | undefined
  /** Whether new entries come in. */
  isFollowing: boolean
  isPhone: boolean
}

/** The entries of the list over time. A bar, or several dragged over, narrow the list to their time. */
export function LogHistogram({ state, page, isFollowing, isPhone }: LogHistogramProps) {
  const timeZone = useTimeZone()
  const most = isPhone ? mostBarsOnPhones : mostBars
  const { days } = state.filters
  // Until the list is loaded anew, so that the bars end where it does.
  const period = useMemo(() => page && periodOf(page, days, timeZone), [page, days, timeZone])
  const edges = useMemo(() => (period ? bucketEdges(period, { timeZone, most }) : []), [period, timeZone, most])
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...histogramQuery(logList.filter(state), edges),
    enabled: edges.length > 1,
    refetchInterval: isFollowing && refreshMs,
  })
  if (page?.all === 0) return null
  const isOutside = page !== undefined && edges.length < 2
  // A period without entries is not counted; what there is are the bars of the period before.
  const points = (isOutside ? [] : (data?.buckets ?? [])).map(({ from, to, allowed, rejected }) => {
    return { from, to, count: allowed + rejected, part: rejected }
  })
  const total = points.reduce((sum, { count }) => sum + count, 0)
  const rejected = points.reduce((sum, { part }) => sum + part, 0)
  const isHourly = arePartsOfDays(points)
  const select = ({ from, to }: TimeSpan) =>
    state.setFilter('days', timeSpanParam({ from, to }, timeZone, nowSeconds()))
  const none = isOutside || (data !== undefined && total === 0)
  return (
    <ChartCard
      title={t`Entries over time`}
      description={
        error ? (
          <span className="text-danger">{failureText(error, t`Failed to count the entries`)}</span>
        ) : (
          <Sums
            total={data || isOutside ? total : undefined}
            rejected={rejected}
            countedFrom={(!isOutside && data?.countedFrom) || null}
            timeZone={timeZone}
          />
        )
      }
      fileName="log-entries"
      table={
        data && {
          head: [t`Time`, t`Allowed`, t`Rejected`],
          rows: points.map(
            (point) => [spanText(point, isHourly, timeZone), point.count - point.part, point.part] as const,
          ),
          fileNames: points.map(({ from }) => new Date(from * 1000).toISOString()),
        }
      }
      empty={none && !error ? t`No entries match in this period.` : undefined}
      lang={i18n.locale}
      height={height}
      hasMenu
      className="mb-4"
      legend={
        <p className="flex min-h-4 flex-wrap gap-x-4 text-meta text-text-2">
          <Key color={chartColors.green} isQuiet text={t`Allowed`} />
          <Key color={chartColors.rose} text={t`Rejected`} />
          <span data-print="no" className="text-text-3">{t`Click a bar, or drag across several, to zoom in.`}</span>
        </p>
      }
    >
      {error && !data ? (
        <div className="flex h-full items-center justify-center">
          <Button onClick={() => void refetch()}>{t`Retry`}</Button>
        </div>
      ) : (
        data && (
          <div className={`transition-opacity ${isPlaceholderData ? 'opacity-50' : ''}`} aria-busy={isPlaceholderData}>
            <TimeChart
              label={t`Entries over time`}
              points={points}
              kind="bars"
              color={chartColors.green}
              part={{ color: chartColors.rose, text: rejectedText }}
              isHourly={isHourly}
              underWay={(points.at(-1)?.to ?? 0) > nowSeconds() ? 'last' : 'none'}
              countText={entriesText}
              height={height}
              onSelect={select}
              selectsByClick
            />
          </div>
        )
      )}
    </ChartCard>
  )
}

const entriesText = (count: number): string => plural(count, { one: '# entry', other: '# entries' })
const rejectedText = (count: number): string => plural(count, { one: '# rejected', other: '# rejected' })

interface SumsProps {
  total: number | undefined
  rejected: number
  countedFrom: number | null
  timeZone: string
}

function Sums({ total, rejected, countedFrom, timeZone }: SumsProps) {
  if (total === undefined) return <span aria-hidden="true">&nbsp;</span>
  const [all, some] = [entriesText(total), rejectedText(rejected)]
  const since = countedFrom === null ? undefined : dateTimeText(countedFrom, timeZone)
  return (
    <span>
      {t`${all}, ${some}`}
      {since !== undefined && (
        <span className="text-warn">
          {' '}
          {t`Only the newest are counted, since ${since}. Choose a shorter period to see older ones.`}
        </span>
      )}
    </span>
  )
}

const Key = ({ color, text, isQuiet = false }: { color: string; text: string; isQuiet?: boolean }) => (
  <span className="flex items-center gap-1.5">
    <svg aria-hidden="true" width={8} height={8} className="keep-color shrink-0" style={{ color }}>
      <rect width={8} height={8} rx={2} fill="currentColor" fillOpacity={isQuiet ? 0.5 : 1} />
    </svg>
    {text}
  </span>
)

/** What the list shows of the log, from its oldest entry, or an hour ago, to now; undefined if that is nothing. */
function periodOf({ oldestAt }: LogPage, days: string | undefined, timeZone: string): LogPeriod | undefined {
  const now = nowSeconds() + 1
  const bounds = timeRangeBounds(readTimeRange(days), timeZone)
  const oldest = oldestAt ?? now
  const first = bounds.days === undefined ? bounds.from : now - bounds.days * daySeconds
  const from = first === undefined ? Math.min(oldest, now - shortest) : Math.max(first, oldest)
  const until = Math.min(bounds.until === undefined ? now : bounds.until + 1, now)
  return from < until ? { from, until } : undefined
}
