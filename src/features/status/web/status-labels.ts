import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import type { MissingItem, StatusPart, StatusState, StorageProblem } from '#contract/status-parts.ts'
import type { BadgeProps } from '#web/ui/badge.tsx'
import { countSystems } from '../status.rules.ts'
import { type Part } from './status-data.ts'

/** All times here are UTC, regardless of the selected time zone. */
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
    storage: t`Storage`,
  })[part]

export const stateName = (state: StatusState): string =>
  ({
    ok: t`Operational`,
    degraded: t`Degraded`,
    down: t`Outage`,
    off: t`Off`,
    unknown: t`Unknown`,
  })[state]

/** Badge text of a part. */
export const partState = ({ state, missing }: Pick<Part, 'state' | 'missing'>): string =>
  missing?.includes('backup') ? t`None yet` : stateName(state)

export const stateBadge: Record<StatusState, Pick<BadgeProps, 'tone' | 'dot'>> = {
  ok: { tone: 'ok', dot: 'filled' },
  degraded: { tone: 'warn', dot: 'ring' },
  down: { tone: 'danger', dot: 'slashed' },
  off: { tone: 'neutral' },
  unknown: { tone: 'neutral', dot: 'dashed' },
}

/** Unmeasured parts do not count as operational. */
function operationalText(parts: readonly Part[]): string {
  const { operational: working, unknown } = countSystems(parts)
  if (unknown === 0) return t`All systems operational`
  const operational = plural(working, {
    one: '# system operational',
    other: '# systems operational',
  })
  const count = unknown.toLocaleString(i18n.locale)
  return t`${operational}, ${count} unknown`
}

export const overallText = ({ state, parts }: { state: StatusState; parts: readonly Part[] }): string =>
  ({
    ok: operationalText(parts),
    degraded: t`Some systems are degraded`,
    down: t`There is an outage`,
    off: t`Status unknown`,
    unknown: t`Status unknown`,
  })[state]

export const percent = (share: number, digits = 2): string =>
  // Rounded down: 99.999% must not show as 100%.
  new Intl.NumberFormat(i18n.locale, { style: 'percent', maximumFractionDigits: digits, roundingMode: 'floor' }).format(
    share,
  )

function lastBackupText({ state, lastAt: at, missing }: Part): string {
  const command = 'npm run backup'
  if (missing?.includes('backup')) return t`No backup yet. Make one on the server: ${command}`
  if (at === undefined) return t`Could not be read`
  const time = utcTime(at)
  return state === 'degraded' ? t`None since ${time}` : t`Data as of ${time}`
}

function ledgerText({ state, lastAt }: Part): string {
  if (state === 'down') return t`The credits do not add up`
  if (lastAt === undefined || state === 'unknown') return t`Not checked recently`
  const time = utcTime(lastAt)
  return t`Adds up as of ${time}`
}

/** Only administrators see the problem. */
function storageText({ state, problem }: Part & { problem?: StorageProblem }): string {
  if (state === 'ok') return t`Disk space and data integrity are fine`
  if (problem === undefined) return t`The operator needs to check the storage`
  return {
    DISK_LOW: t`The disk is almost full`,
    DATA_DAMAGED: t`The integrity check found damaged data`,
    KEY_FILE: t`The master key file is missing or has changed`,
  }[problem]
}

function ipDataText({ state, missing = [] }: Part): string {
  if (state === 'off') return missingIpFiles(missing) ?? t`Not set up`
  const text = state === 'degraded' ? t`The data is out of date` : t`Up to date`
  if (missing.includes('country-file')) return t`${text}; the country file is missing`
  return missing.includes('vpn-file') ? t`${text}; the VPN file is missing` : text
}

/** Without any data: the files that settings name. */
function missingIpFiles(missing: readonly MissingItem[]): string | undefined {
  if (missing.length > 1) return t`The country file and the VPN file are missing`
  if (missing.includes('country-file')) return t`The country file is missing`
  return missing.includes('vpn-file') ? t`The VPN file is missing` : undefined
}

/** One line about the current state of a part. */
export function partText(status: Part): string {
  const { part, state, responseMs, errorRate, overdueQueues = 0, isReachable } = status
  // The database or the part itself cannot be reached, so nothing else is known.
  const isUnread = state === 'unknown' && part !== 'backup' && part !== 'ledger'
  if (isUnread) return t`Could not be read`
  if (part === 'api') {
    if (responseMs === undefined) return t`No requests in the last 5 minutes`
    const ms = responseMs.toLocaleString(i18n.locale)
    return t`95% of requests within ${ms} ms`
  }
  if (part === 'errors') {
    if (errorRate === undefined) return t`No requests in the last 5 minutes`
    const share = percent(errorRate)
    return t`${share} failed in the last 5 minutes`
  }
  if (part === 'queue')
    // What is overdue for a moment is no delay yet.
    return overdueQueues === 0 || state === 'ok'
      ? t`No delays`
      : plural(overdueQueues, { one: '# queue is delayed', other: '# queues are delayed' })
  if (part === 'database')
    return { ok: t`Reads and writes`, degraded: t`Reads only` }[state as string] ?? t`Not responding`
  if (part === 'mail') {
    if (isReachable === false) return t`The mail server can't be used`
    return { off: t`This server does not send mail`, ok: t`Mail is sent` }[state as string] ?? t`Mail is waiting`
  }
  if (part === 'ip-data') return ipDataText(status)
  if (part === 'backup') return lastBackupText(status)
  if (part === 'storage') return storageText(status)
  return ledgerText(status)
}
