import { reject } from '#contract/errors.ts'
import { isTimeZone } from '#contract/time-zone.ts'
import type { Database } from '#database/database.ts'
import { getAccount } from '#features/accounts/accounts.actions.ts'
import { listLevels } from '#features/levels/levels.reads.ts'
import { countLicensesOfApps } from '#features/licenses/licenses.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { overviewContract } from '../overview.contract.ts'
import {
  countActiveSince,
  countActiveUsers,
  countByHour,
  countExistingActive,
  countExpiring,
  countNewUsers,
  countRedeemed,
  firstCountedHour,
  isBehind,
} from '../overview.reads.ts'
import { overviewErrors } from '../overview.errors.ts'
import {
  chosenSpans,
  comingSpans,
  countsIn,
  hasRoundedDays,
  hourSeconds,
  isChoosable,
  isHourly,
  maxRangeDays,
  type OverviewDays,
  pastSpans,
  previousSpans,
  type Span,
  startOfMinute,
  wholeOf,
} from '../overview.rules.ts'

export const readOverview = endpoint(overviewContract.readOverview, {
  read: async ({ services: { db }, actor, app, query, now }) => {
    const timeZone = query.timeZone ?? (await getAccount(db.read, actor.id)).time_zone ?? 'UTC'
    if (!isTimeZone(timeZone)) reject(overviewErrors, 'TIME_ZONE_UNKNOWN')
    const days = Number(query.days ?? 7) as OverviewDays
    const range = rangeOf(query, now)
    const spans = range ? chosenSpans(range, timeZone, now) : pastSpans(days, timeZone, now)
    const hourly = range ? isHourly(range) : days === 1
    const coming = comingSpans(days, timeZone, now)
    const { reports } = db
    const counting = await isBehind(db.read)
    const whole = wholeOf(spans)
    const { activity, ...current } = await readActivity(db, { appId: app.id, spans, now })
    const expiring = await countExpiring(reports, { appId: app.id, from: startOfMinute(now), spans: coming })
    const labeled = (metric: Activity['metric']) => ranked(activity.filter((each) => each.metric === metric))
    return {
      at: now,
      timeZone,
      roundedDays: !hourly && hasRoundedDays(spans, timeZone),
      counting,
      hourly,
      ...current,
      existingActiveUsers: hasEnded(whole, now)
        ? null
        : await countExistingActive(reports, { appId: app.id, first: whole.first }),
      previous: await readPrevious(db, { appId: app.id, spans: previousSpans(spans, timeZone, now), now }),
      rejections: labeled('refusal').map(([code, count]) => ({ code, count })),
      countries: labeled('sign-in').map(([country, count]) => ({ country, count })),
      expiring: coming.map((span, index) => ({ ...timesOf(span), licenses: expiring[index] ?? 0 })),
      levels: (await listLevels(db.read, app.id)).length,
      licenses: (await countLicensesOfApps(reports, [app.id])).get(app.id) ?? 0,
    }
  },
})

/** The range that the query chooses, if it does. */
function rangeOf({ from, to }: { from?: number; to?: number }, now: number): Span | undefined {
  if (from === undefined && to === undefined) return undefined
  if (from === undefined || to === undefined || !isChoosable({ from, to }, now)) {
    return reject(overviewErrors, 'OVERVIEW_RANGE_INVALID', { values: { days: maxRangeDays } })
  }
  return { first: from / hourSeconds, last: to / hourSeconds }
}

interface AppSpans {
  appId: string
  spans: readonly Span[]
  now: number
}

const hasEnded = ({ last }: Span, now: number): boolean => last * hourSeconds <= now

type Activity = Awaited<ReturnType<typeof countByHour>>[number]

async function readActivity({ reports }: Database, { appId, spans, now }: AppSpans) {
  const whole = wholeOf(spans)
  const period = { appId, ...whole, spans }
  const activity = await countByHour(reports, period)
  // Until now, the last sign-in of each user is enough; otherwise the whole period is one more span.
  const isPast = hasEnded(whole, now)
  const users = await countActiveUsers(reports, { ...period, spans: isPast ? [...spans, whole] : spans })
  const activeUsers = (isPast ? users.at(-1) : await countActiveSince(reports, period)) ?? 0
  const activations = await countRedeemed(reports, period)
  const newUsers = await countNewUsers(reports, period)
  const countsOf = (metric: Activity['metric']) =>
    countsIn(
      spans,
      activity.filter((each) => each.metric === metric),
    )
  const signIns = countsOf('sign-in')
  const rejected = countsOf('refusal')
  const points = spans.map((span, index) => ({
    ...timesOf(span),
    signIns: signIns[index] ?? 0,
    activeUsers: users[index] ?? 0,
    rejected: rejected[index] ?? 0,
    activations: activations[index] ?? 0,
    newUsers: newUsers[index] ?? 0,
  }))
  return { points, activeUsers, activity }
}

/** Null if the period was not counted from its first hour or day on: a comparison would mislead. */
async function readPrevious(db: Database, period: AppSpans) {
  const counted = await firstCountedHour(db.reports, period.appId)
  const [begin] = period.spans
  if (counted === undefined || !begin || counted >= begin.last) return null
  const { points, activeUsers } = await readActivity(db, period)
  return { points, activeUsers }
}

const timesOf = ({ first, last }: Span) => ({ from: first * hourSeconds, to: last * hourSeconds })

/** Sums counts by label, largest first. */
function ranked(rows: readonly { label: string; count: number }[]): [label: string, count: number][] {
  const sums = new Map<string, number>()
  for (const { label, count } of rows) sums.set(label, (sums.get(label) ?? 0) + count)
  return [...sums].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
}
