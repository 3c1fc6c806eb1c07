import { reject } from '#contract/errors.ts'
import { isTimeZone } from '#contract/time-zone.ts'
import { asReportCaller, reportCaller } from '#database/report-queue.ts'
import { overviewErrors } from '#features/overview/overview.errors.ts'
import { countSignInsByHour } from '#features/overview/overview.reads.ts'
import {
  countsIn,
  hourSeconds,
  type OverviewDays,
  pastSpans,
  previousSpans,
  type Span,
  wholeOf,
} from '#features/overview/overview.rules.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { perServer, type Services } from '#server/services.ts'
import { dashboardContract } from '../dashboard.contract.ts'
import { countNewByHour, findFirstAccount, type HourCount } from '../growth.reads.ts'

export const readGrowth = endpoint(dashboardContract.readGrowth, {
  read: async ({ services, query, now }) => {
    const { timeZone = 'UTC', days = '30' } = query
    if (!isTimeZone(timeZone)) reject(overviewErrors, 'TIME_ZONE_UNKNOWN')
    const spans = pastSpans(Number(days) as OverviewDays, timeZone, now)
    const before = previousSpans(spans, timeZone, now)
    const whole = { first: wholeOf(before).first, last: wholeOf(spans).last }
    const hours = { ...(await countSmall(services, whole)), ...(await countLarge(services, whole, now)) }
    const isOlder = (await findFirstAccount(services.db.reports)) < wholeOf(spans).first * hourSeconds
    return { at: now, timeZone, points: pointsOf(spans, hours), previous: isOlder ? pointsOf(before, hours) : null }
  },
})

const metrics = ['owners', 'apps', 'users', 'licenses', 'signIns'] as const
type Metric = (typeof metrics)[number]
type Hours<M extends Metric = Metric> = Record<M, readonly HourCount[]>

function pointsOf(spans: readonly Span[], hours: Hours) {
  const counts = Object.fromEntries(metrics.map((metric) => [metric, countsIn(spans, hours[metric])]))
  const of = (metric: Metric, index: number) => counts[metric]?.[index] ?? 0
  return spans.map(({ first, last }, index) => ({
    from: first * hourSeconds,
    to: last * hourSeconds,
    owners: of('owners', index),
    apps: of('apps', index),
    users: of('users', index),
    licenses: of('licenses', index),
    signIns: of('signIns', index),
  }))
}

/** Always current: the list of owners counts the same. */
const countSmall = async ({ db: { reports } }: Services, whole: Span): Promise<Hours<'owners' | 'apps'>> => ({
  owners: await countNewByHour(reports, 'owners', whole),
  apps: await countNewByHour(reports, 'apps', whole),
})

type Large = Hours<'users' | 'licenses' | 'signIns'>

const maxAgeSeconds = 60
const cacheOf = perServer(() => new Map<string, { at: number; hours: Promise<Large> }>())

/** These read up to millions of rows, so they are kept for a minute. */
function countLarge(services: Services, whole: Span, now: number): Promise<Large> {
  const cache = cacheOf(services)
  const key = `${whole.first}-${whole.last}`
  for (const [each, { at }] of cache) if (now < at || now - at >= maxAgeSeconds) cache.delete(each)
  const known = cache.get(key)
  if (known) return known.hours
  // Others wait for the same read: it goes on when the caller who began it leaves.
  const hours = asReportCaller({ ...reportCaller(), signal: undefined }, () => readLarge(services, whole))
  cache.set(key, { at: now, hours })
  hours.catch(() => cache.delete(key))
  return hours
}

const readLarge = async ({ db: { reports } }: Services, whole: Span): Promise<Large> => ({
  users: await countNewByHour(reports, 'users', whole),
  licenses: await countNewByHour(reports, 'licenses', whole),
  signIns: await countSignInsByHour(reports, whole),
})
