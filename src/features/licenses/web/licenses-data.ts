import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { callQuery } from '#web/api/call-query.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { failureText } from '#web/api/errors.ts'
import { levelsQuery } from '#features/users/web/users-data.ts'
import { levelFilter } from '#web/list/level-filter.ts'
import { type ListFilter, pagedList } from '#web/list/list-source.ts'
import { appKey } from '#web/api/query-keys.ts'
import { nowSeconds } from '#web/time/clock.ts'
import { calendarBounds, comingBounds, readTimeRange } from '#web/time/time-range.ts'
import { currentTimeZone } from '#web/browser/time-zone.ts'
import type { SelectOption } from '#web/ui/select-field.tsx'
import { type addTimeUnits, type createUnits, licenseSorts, licenseStatus } from '../licenses.rules.ts'

export type LicenseList = CallReply<'GET /licenses'>
export type License = LicenseList['licenses'][number]
export type LicenseCounts = LicenseList['counts']
export type LicenseFilter = Omit<ListFilter<'GET /licenses'>, 'appName' | 'appId'>

const statusFilters = ['unused', 'used', 'banned', 'expiring'] as const

export const licensesKey = () => appKey('licenses')

export const licenseList = pagedList({
  key: licensesKey,
  call: 'GET /licenses',
  live: 'licenses',
  canCountAll: true,
  rows: ({ licenses }) => licenses,
  rowId: ({ license }) => license,
  table: {
    filters: {
      status: statusFilters,
      level: 'text',
      reseller: 'text',
      created: 'text',
      redeemed: 'text',
      expires: 'text',
    },
    several: ['status', 'level'],
    sorts: licenseSorts,
  },
  filter: ({ search, filters: { status, level, reseller, created, redeemed, expires } }): LicenseFilter => {
    const [timeZone, now] = [currentTimeZone(), nowSeconds()]
    const [creation, redemption] = [created, redeemed].map((period) =>
      calendarBounds(readTimeRange(period), timeZone, now),
    )
    const end = comingBounds(readTimeRange(expires), timeZone, now)
    return {
      search: search || undefined,
      // The table only offers valid values.
      status: status as LicenseFilter['status'],
      level: levelFilter(level),
      resellerId: reseller && reseller.length <= maxIdLength ? reseller : undefined,
      createdFrom: creation?.from,
      createdUntil: creation?.until,
      redeemedFrom: redemption?.from,
      redeemedUntil: redemption?.until,
      expiresFrom: end.from,
      expiresUntil: end.until,
    }
  },
})

const maxIdLength = 40

/** Numbers of licenses by level and by reseller. */
export const licenseFacetsQuery = () => callQuery(appKey('license-facets'), 'GET /license_facets')

/** What is cached under the key of licenses: lists, the license of the panel, and those of a user. */
export type CachedLicenses = LicenseList | CallReply<'GET /license/{license}'> | { rows: License[]; total: number }

/** What is cached, with the license banned or unbanned. */
export function withBan<C extends CachedLicenses>(cached: C, key: string, banned: boolean): C
export function withBan(cached: CachedLicenses, key: string, banned: boolean): CachedLicenses {
  if ('licenses' in cached) return withBanInList(cached, key, banned)
  const changed = (row: License) => (row.license === key ? { ...row, banned } : row)
  return 'rows' in cached
    ? { ...cached, rows: cached.rows.map(changed) }
    : { ...cached, license: changed(cached.license) }
}

function withBanInList(list: LicenseList, key: string, banned: boolean): LicenseList {
  const row = list.licenses.find(({ license }) => license === key)
  if (!row || row.banned === banned) return list
  const from = licenseStatus(row)
  const to = licenseStatus({ used: row.used, banned })
  const counts = { ...list.counts, [from]: list.counts[from] - 1, [to]: list.counts[to] + 1 }
  const licenses = list.licenses.map((one) => (one === row ? { ...row, banned } : one))
  return { ...list, licenses, counts }
}

/** The subscription levels of the app, as select options. */
export function useLevels() {
  const { data, error } = useQuery(levelsQuery())
  const options = data?.subscriptions.map(({ level, name, active }): SelectOption => {
    const label = name || t`Level ${level}`
    return { value: String(level), label: active ? label : t`${label} (paused)` }
  })
  return { options, failure: error && !data ? failureText(error, t`Failed to load subscriptions`) : undefined }
}

/** The options including the given level, which the app may no longer have. */
export function withLevel(options: readonly SelectOption[] = [], level: string | undefined, name?: string) {
  if (level === undefined || options.some(({ value }) => value === level)) return options
  return [...options, { value: level, label: name ?? t`Level ${level}` }]
}

type TimeUnit = (typeof createUnits)[number] | (typeof addTimeUnits)[number]

const unitNames: Record<TimeUnit, MessageDescriptor> = {
  seconds: msg`Seconds`,
  minutes: msg`Minutes`,
  days: msg`Days`,
  weeks: msg`Weeks`,
  months: msg`Months`,
  years: msg`Years`,
  lifetime: msg`Lifetime`,
}

/** Units of time as select options. */
export const unitOptions = (units: readonly TimeUnit[]) =>
  units.map((value) => ({ value, label: i18n._(unitNames[value]) }))
