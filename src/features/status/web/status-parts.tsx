import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { ChartCard, type ChartTable } from '#web/charts/chart-card.tsx'
import { type DayBar, DayBars } from '#web/charts/day-bars.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { availability, stateOfDay, type StatusDay, statusDays } from '../status.rules.ts'
import type { Part } from './status-data.ts'
import { partName, partText, partState, percent, stateBadge, stateName, utcDay, utcTime } from './status-labels.ts'

const barHeight = 36

interface PartsProps {
  parts: readonly Part[]
  /** Time for which the days were computed, epoch seconds. */
  at: number
  /** False if the server has not responded for too long and the shown state is outdated. */
  isKnown: boolean
}

/** The current state of each part and its history of 90 days. */
export function StatusParts({ parts, at, isKnown }: PartsProps) {
  return (
    <ul aria-label={t`Systems`} className="grid items-start gap-4 lg:grid-cols-2">
      {parts.map((part) => (
        <li key={part.part} className="min-w-0">
          <PartCard part={part} at={at} isKnown={isKnown} />
        </li>
      ))}
    </ul>
  )
}

function PartCard({ part, at, isKnown }: { part: Part; at: number; isKnown: boolean }) {
  const title = partName(part.part)
  const state = isKnown ? part.state : 'unknown'
  const days = part.days && statusDays(part.days, at)
  return (
    <ChartCard
      title={title}
      badge={<Badge {...stateBadge[state]}>{isKnown ? partState(part) : stateName(state)}</Badge>}
      description={isKnown ? partText(part) : t`The server can't be reached`}
      hasMenu
      fileName={`status-${part.part}`}
      table={days && tableOf(days)}
      empty={days ? undefined : t`The history can't be loaded right now`}
      height={days ? barHeight + 24 : barHeight}
      lang={i18n.locale}
    >
      {days && <History title={title} days={days} since={part.days?.since} />}
    </ChartCard>
  )
}

interface HistoryProps {
  title: string
  days: readonly StatusDay[]
  /** When the part was first measured, if within these days; epoch seconds. */
  since: number | undefined
}

function History({ title, days, since }: HistoryProps) {
  const share = availability(days)
  const up = share === undefined ? t`Not measured yet` : upText(share, since)
  const degraded = days.filter((day) => day.degraded > 0).length
  const degradedText = plural(degraded, { one: 'degraded on # day', other: 'degraded on # days' })
  const length = days.length
  const count = plural(length, { one: '# day ago', other: '# days ago' })
  const troubled = days.filter((day) => ['degraded', 'down'].includes(stateOfDay(day))).length
  const trouble = plural(troubled, { one: 'problems on # day', other: 'problems on # days' })
  return (
    <>
      <DayBars
        label={t`${title} per day`}
        summary={troubled === 0 ? `${title}: ${up}` : `${title}: ${up}, ${trouble}`}
        days={days.map(barOf)}
        height={barHeight}
      />
      <p className="mt-2 flex justify-between gap-3 text-meta text-text-2 tabular-nums">
        <span className="whitespace-nowrap">{count}</span>
        <span>{degraded === 0 ? up : `${up}, ${degradedText}`}</span>
        <span className="whitespace-nowrap">{t`Today`}</span>
      </p>
    </>
  )
}

/** Names the measured period if it is shorter than the history. */
function upText(share: number, since: number | undefined): string {
  const amount = percent(share)
  if (since !== undefined) {
    const time = utcTime(since)
    return t`${amount} up since ${time}`
  }
  return t`${amount} up`
}

function barOf(day: StatusDay): DayBar {
  const { ok, degraded, down, unknown } = day
  const all = Math.max(1, ok + degraded + down + unknown)
  // A few unmeasured minutes of a good day are not drawn.
  const missing = stateOfDay(day) === 'ok' ? 0 : unknown
  return {
    from: day.from,
    shares: [
      { kind: 'alarm', share: down / all },
      { kind: 'warning', share: degraded / all },
      { kind: 'missing', share: ok + degraded + down === 0 ? 1 : missing / all },
      { kind: 'quiet', share: ok / all },
    ],
    when: utcDay(day.from),
    text: dayText(day),
  }
}

const minutesText = (minutes: number): string => plural(minutes, { one: '# min', other: '# min' })

function dayText(day: StatusDay): string {
  const { degraded, down, unknown } = day
  const state = stateOfDay(day)
  if (state === 'unknown' && day.ok === 0) return t`Not measured`
  const outage = minutesText(down)
  const trouble = minutesText(degraded)
  const missing = minutesText(unknown)
  const lines = [
    ...(down > 0 ? [t`${outage} down`] : []),
    ...(degraded > 0 ? [t`${trouble} degraded`] : []),
    ...(unknown > 0 ? [t`${missing} not measured`] : []),
  ]
  return lines.length === 0 ? stateName('ok') : lines.join(', ')
}

function tableOf(days: readonly StatusDay[]): ChartTable {
  const newest = days.toReversed()
  return {
    head: [t`Day`, t`Operational (min)`, t`Degraded (min)`, t`Outage (min)`, t`Not measured (min)`],
    rows: newest.map(({ from, ok, degraded, down, unknown }) => [utcDay(from), ok, degraded, down, unknown]),
    fileNames: newest.map(({ from }) => new Date(from * 1000).toISOString().slice(0, 10)),
  }
}
