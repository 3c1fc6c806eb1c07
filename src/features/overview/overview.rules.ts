/** Periods of the overview and their hours and days. */

export const overviewDays = [1, 7, 30, 90] as const
export type OverviewDays = (typeof overviewDays)[number]

export const hourSeconds = 3600

/** Epoch seconds. Lists of times to come begin with the current minute, so what is counted beside them does, too. */
export const startOfMinute = (now: number): number => now - (now % 60)

/** Hours since 1970; `last` is exclusive. */
export interface Span {
  first: number
  last: number
}

const dayFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })

/**
 * The last 24 hours, or the days of a longer period, oldest first; the last one is in progress at `now` (epoch
 * seconds). Days are those of the time zone, in whole hours: a day that begins within an hour begins at the nearest
 * whole hour.
 */
export function pastSpans(days: OverviewDays, timeZone: string, now: number): Span[] {
  const current = Math.floor(now / hourSeconds)
  if (days === 1) return hours(current - 23, current + 1)
  // Two extra days, because a day can have 25 hours; days beyond the period are cut off.
  return daysBetween({ first: current - (days + 2) * 24, last: current + 1 }, timeZone).slice(-days)
}

/** The same for the future: the first span is in progress. */
export function comingSpans(days: OverviewDays, timeZone: string, now: number): Span[] {
  const current = Math.floor(now / hourSeconds)
  if (days === 1) return hours(current, current + 24)
  return daysBetween({ first: current, last: current + (days + 2) * 24 }, timeZone).slice(0, days)
}

/** A chosen range of at most this many hours is divided into hours, a longer one into days. */
export const maxHourlyHours = 48
/** A range begins at most this many days ago, so that the period before it is stored, too. */
export const maxRangeDays = 91

/** Whether a range can be chosen; all values are in epoch seconds. */
export function isChoosable({ from, to }: { from: number; to: number }, now: number): boolean {
  const areHours = from % hourSeconds === 0 && to % hourSeconds === 0
  return areHours && from < to && from < now && from > now - maxRangeDays * 24 * hourSeconds
}

/** The hours of a chosen range, or its days, each of them whole. Nothing is after `now` (epoch seconds). */
export function chosenSpans({ first, last }: Span, timeZone: string, now: number): Span[] {
  const end = Math.floor(now / hourSeconds) + 1
  if (isHourly({ first, last })) return hours(first, Math.min(last, end))
  const around = { first: first - longestDay, last: Math.min(last + longestDay, end) }
  return daysBetween(around, timeZone).filter((day) => day.last > first && day.first < last)
}

export const isHourly = ({ first, last }: Span): boolean => last - first <= maxHourlyHours

/**
 * As many hours or days directly before these. If the last of these is in progress at `now` (epoch seconds), the last
 * one before them ends after as many hours, so that both can be compared.
 */
export function previousSpans(spans: readonly Span[], timeZone: string, now: number): Span[] {
  const { first, last } = wholeOf(spans)
  const count = spans.length
  const before =
    last - first === count
      ? hours(first - count, first)
      : daysBetween({ first: first - (count + 2) * 24, last: first }, timeZone).slice(-count)
  const isUnderWay = last * hourSeconds > now
  const latest = spans.at(-1)
  const ended = before.pop()
  if (!ended || !latest) return before
  const passed = latest.last - latest.first
  return [...before, isUnderWay ? { ...ended, last: Math.min(ended.first + passed, ended.last) } : ended]
}

export const wholeOf = (spans: readonly Span[]): Span => ({
  first: spans[0]?.first ?? 0,
  last: spans.at(-1)?.last ?? 0,
})

/** The hours whose middle is in this time, as days have them: in epoch seconds, both inclusive. */
export const hoursWithin = ({ from, until }: { from: number; until: number }): Span => ({
  first: Math.ceil(from / hourSeconds - 0.5),
  last: Math.floor(until / hourSeconds - 0.5) + 1,
})

/** Sums hourly counts by span. */
export function countsIn(spans: readonly Span[], rows: readonly { hour: number; count: number }[]): number[] {
  const { first } = wholeOf(spans)
  const spanOfHour = spans.flatMap(({ first: from, last }, at) => Array<number>(last - from).fill(at))
  const counts = Array<number>(spans.length).fill(0)
  for (const { hour, count } of rows) {
    const at = spanOfHour[hour - first]
    if (at !== undefined) counts[at] = (counts[at] ?? 0) + count
  }
  return counts
}

const hours = (from: number, to: number): Span[] =>
  Array.from({ length: to - from }, (_, index) => ({ first: from + index, last: from + index + 1 }))

/** Antarctica/Troll moves its clocks by two hours, other zones by one. */
const shortestDay = 22
const longestDay = 26

/** An hour belongs to the day that contains its middle. */
function daysBetween({ first, last }: Span, timeZone: string): Span[] {
  const format = dayFormat(timeZone)
  const dayOf = (hour: number) => format.format((hour + 0.5) * hourSeconds * 1000)
  const days: Span[] = []
  for (let from = first; from < last;) {
    const day = dayOf(from)
    // Checking every hour would take ten times as long. Only the first day can be incomplete.
    let to = from + (days.length === 0 ? 1 : shortestDay)
    while (dayOf(to) === day) to += 1
    days.push({ first: from, last: Math.min(to, last) })
    from = to
  }
  return days
}

/** Whether any of the zone's days begins within an hour, so that days are rounded to whole hours. */
export function hasRoundedDays(spans: readonly Span[], timeZone: string): boolean {
  const minute = new Intl.DateTimeFormat('en', { timeZone, minute: 'numeric' })
  return spans.some(({ first }) => Number(minute.format(first * hourSeconds * 1000)) !== 0)
}

/** Fewer rejected starts of old versions in a day need nobody. */
export const manyOutdated = 10

export const limitNames = ['licenses', 'users', 'variables', 'storage', 'apps'] as const
export type LimitName = (typeof limitNames)[number]

export interface UsedLimit {
  limit: LimitName
  used: number
  max: number
}

const nearPercent = 80

/** The limits of which at least 80 % are used, the fullest first. A negative limit is none. */
export const nearLimits = (limits: readonly UsedLimit[]): UsedLimit[] =>
  limits
    .filter(({ used, max }) => max > 0 && used * 100 >= max * nearPercent)
    .toSorted((one, other) => other.used / other.max - one.used / one.max)

/** What may need the owner of an app. */
export interface Attention {
  webhooks: { failing: number; stopped: number }
  alerts: number
  rejected: { customers: number }
  outdated: { starts: number }
  expiring: number
  limits: readonly UsedLimit[]
}

export const needs = ['webhooks', 'alerts', 'rejected', 'outdated', 'limits', 'expiring'] as const
export type Need = (typeof needs)[number]

/** What needs the owner, the most urgent first. */
export function needsOf({ webhooks, alerts, rejected, outdated, limits, expiring }: Attention): Need[] {
  const isNeeded: Record<Need, boolean> = {
    webhooks: webhooks.failing + webhooks.stopped > 0,
    alerts: alerts > 0,
    rejected: rejected.customers > 0,
    outdated: outdated.starts >= manyOutdated,
    limits: limits.length > 0,
    expiring: expiring > 0,
  }
  return needs.filter((need) => isNeeded[need])
}
