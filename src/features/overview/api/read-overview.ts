import { reject } from '#contract/errors.ts'
import { isTimeZone } from '#contract/time-zone.ts'
import { getAccount } from '#features/accounts/accounts.actions.ts'
import { listLevels } from '#features/levels/levels.reads.ts'
import { countLicensesOfApps } from '#features/licenses/licenses.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { overviewContract } from '../overview.contract.ts'
import {
  countActiveUsers,
  countByHour,
  countExpiring,
  countNewUsers,
  countRedeemed,
  isBehind,
} from '../overview.reads.ts'
import { overviewErrors } from '../overview.errors.ts'
import { comingSpans, hasRoundedDays, hourSeconds, type OverviewDays, pastSpans, type Span } from '../overview.rules.ts'

export const readOverview = endpoint(overviewContract.readOverview, {
  read: async ({ services: { db }, actor, app, query, now }) => {
    const timeZone = query.timeZone ?? (await getAccount(db.read, actor.id)).time_zone ?? 'UTC'
    if (!isTimeZone(timeZone)) reject(overviewErrors, 'TIME_ZONE_UNKNOWN')
    const days = Number(query.days ?? 7) as OverviewDays
    const spans = pastSpans(days, timeZone, now)
    const coming = comingSpans(days, timeZone, now)
    const { reports } = db
    const period = { appId: app.id, ...wholeOf(spans), spans }
    const counting = await isBehind(db.read)
    const activity = await countByHour(reports, period)
    const users = await countActiveUsers(reports, period)
    const activations = await countRedeemed(reports, period)
    const newUsers = await countNewUsers(reports, period)
    const expiring = await countExpiring(reports, { appId: app.id, now, spans: coming })
    const signIns = activity.filter(({ metric }) => metric === 'sign-in')
    const rejected = activity.filter(({ metric }) => metric === 'refusal')
    const signInsOf = countsIn(spans, signIns)
    const rejectedOf = countsIn(spans, rejected)
    return {
      at: now,
      timeZone,
      roundedDays: days !== 1 && hasRoundedDays(spans, timeZone),
      counting,
      points: spans.map((span, index) => ({
        ...timesOf(span),
        signIns: signInsOf[index] ?? 0,
        activeUsers: users.inSpans[index] ?? 0,
        rejected: rejectedOf[index] ?? 0,
        activations: activations[index] ?? 0,
        newUsers: newUsers[index] ?? 0,
      })),
      activeUsers: users.inAll,
      rejections: ranked(rejected).map(([code, count]) => ({ code, count })),
      countries: ranked(signIns).map(([country, count]) => ({ country, count })),
      expiring: coming.map((span, index) => ({ ...timesOf(span), licenses: expiring[index] ?? 0 })),
      levels: (await listLevels(db.read, app.id)).length,
      licenses: (await countLicensesOfApps(reports, [app.id])).get(app.id) ?? 0,
    }
  },
})

const wholeOf = (spans: readonly Span[]): Span => ({ first: spans[0]?.first ?? 0, last: spans.at(-1)?.last ?? 0 })

const timesOf = ({ first, last }: Span) => ({ from: first * hourSeconds, to: last * hourSeconds })

/** Sums hourly counts by span. */
function countsIn(spans: readonly Span[], rows: readonly { hour: number; count: number }[]): number[] {
  const { first } = wholeOf(spans)
  const spanOfHour = spans.flatMap(({ first: from, last }, at) => Array<number>(last - from).fill(at))
  const counts = Array<number>(spans.length).fill(0)
  for (const { hour, count } of rows) {
    const at = spanOfHour[hour - first]
    if (at !== undefined) counts[at] = (counts[at] ?? 0) + count
  }
  return counts
}

/** Sums counts by label, largest first. */
function ranked(rows: readonly { label: string; count: number }[]): [label: string, count: number][] {
  const sums = new Map<string, number>()
  for (const { label, count } of rows) sums.set(label, (sums.get(label) ?? 0) + count)
  return [...sums].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
}
