import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import type { StatusPart, StatusState } from '#contract/status-parts.ts'
import type { BadgeProps } from '#web/ui/badge.tsx'
import { type Part } from './status-data.ts'

/** Everything here is of UTC, whatever zone the reader has chosen (part 2 §2 Status page). */
export const utcTime = (at: number): string =>
  new Intl.DateTimeFormat(i18n.locale, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  }).format(at * 1000)

export const utcDay = (at: number): string =>
  new Intl.DateTimeFormat(i18n.locale, { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
    at * 1000,
  )

export const partName = (part: StatusPart): string =>
  ({
    api: t`Response time`,
    errors: t`Requests`,
    queue: t`Background work`,
    database: t`Database`,
    mail: t`Mail`,
    'ip-data': t`IP data`,
    backup: t`Backups`,
    ledger: t`Credit ledger`,
  })[part]

export const stateName = (state: StatusState): string =>
  ({
    ok: t`Operational`,
    degraded: t`Degraded`,
    down: t`Outage`,
    off: t`Off`,
    unknown: t`Unknown`,
  })[state]

export const stateBadge: Record<StatusState, Pick<BadgeProps, 'tone' | 'dot'>> = {
  ok: { tone: 'ok', dot: 'filled' },
  degraded: { tone: 'warn', dot: 'ring' },
  down: { tone: 'danger', dot: 'slashed' },
  off: { tone: 'neutral', dot: 'none' },
  unknown: { tone: 'neutral', dot: 'dashed' },
}

export const overallText = (state: StatusState): string =>
  ({
    ok: t`All systems operational`,
    degraded: t`Some systems are degraded`,
    down: t`There is an outage`,
    off: t`The status is not known`,
    unknown: t`The status is not known`,
  })[state]

export const percent = (share: number, digits = 2): string =>
  // Rounded down: 99.999 % is not all of it.
  new Intl.NumberFormat(i18n.locale, { style: 'percent', maximumFractionDigits: digits, roundingMode: 'floor' }).format(
    share,
  )

function lastBackupText(state: StatusState, at: number | undefined): string {
  if (at === undefined) return t`No backup is known here`
  const time = utcTime(at)
  return state === 'degraded' ? t`None since ${time}` : t`Last on ${time}`
}

function ledgerText({ state, lastAt }: Part): string {
  if (state === 'down') return t`The credits do not add up`
  if (lastAt === undefined || state === 'unknown') return t`Not checked of late`
  const time = utcTime(lastAt)
  return t`Adds up, checked on ${time}`
}

/** One line about how a part is now. */
export function partText(status: Part): string {
  const { part, state, responseMs, errorRate, overdueQueues = 0, isReachable, lastAt } = status
  // The database can't be reached, or the part itself: then only that is known.
  const isUnread = state === 'unknown' && part !== 'backup' && part !== 'ledger'
  if (isUnread) return t`Could not be read`
  if (part === 'api') {
    if (responseMs === undefined) return t`No requests in the last 5 minutes`
    const ms = responseMs.toLocaleString(i18n.locale)
    return t`95 of 100 requests within ${ms} ms`
  }
  if (part === 'errors') {
    if (errorRate === undefined) return t`No requests in the last 5 minutes`
    const share = percent(errorRate)
    return t`${share} failed in the last 5 minutes`
  }
  if (part === 'queue')
    return overdueQueues === 0
      ? t`Nothing is late`
      : plural(overdueQueues, { one: '# queue is late', other: '# queues are late' })
  if (part === 'database')
    return { ok: t`Reads and writes`, degraded: t`Reads only` }[state as string] ?? t`Does not answer`
  if (part === 'mail') {
    if (isReachable === false) return t`The mail server can't be used`
    return { off: t`No mail is sent from here`, ok: t`Mail is sent` }[state as string] ?? t`Mail is waiting`
  }
  if (part === 'ip-data')
    return { off: t`Not set up`, degraded: t`The data is out of date` }[state as string] ?? t`Up to date`
  if (part === 'backup') return lastBackupText(state, lastAt)
  return ledgerText(status)
}
