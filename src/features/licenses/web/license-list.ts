import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#web/call.ts'
import type { CallInput, CallReply } from '#web/call-types.ts'
import { pagedList } from '#web/list/list-source.ts'
import { queryClient } from '#web/query-client.ts'
import { appKey } from '#web/query-keys.ts'
import type { TableState } from '#web/table/use-table-state.ts'

export type LicenseList = CallReply<'GET /licenses'>
export type License = LicenseList['licenses'][number]
export type LicenseCounts = LicenseList['counts']
type ListQuery = NonNullable<CallInput<'GET /licenses'>['query']>
export type LicenseFilter = Pick<ListQuery, 'search' | 'status' | 'level' | 'redeemed'>

export const statusFilters = ['unused', 'used', 'banned', 'expiring'] as const

const licenseTableOptions = { filters: { status: statusFilters, level: 'text' as const } }

/** The filter as the API takes it; a level that isn't a number is none. */
export function licenseFilter({ search, filters }: Pick<TableState, 'search' | 'filters'>): LicenseFilter {
  const { status, level = '' } = filters
  return {
    search: search || undefined,
    status: statusFilters.find((known) => known === status),
    level: /^[1-9][0-9]{0,6}$/.test(level) ? Number(level) : undefined,
  }
}

export const licensesKey = () => appKey('licenses')

export const licensesQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [...licensesKey(), query],
    queryFn: ({ signal }) => call('GET /licenses', { query, signal }),
  })

export const licenseList = pagedList({
  key: licensesKey,
  call: 'GET /licenses',
  rows: ({ licenses }) => licenses,
  rowId: ({ license }) => license,
  table: licenseTableOptions,
  filter: licenseFilter,
})

export const refreshLicenses = () => queryClient.invalidateQueries({ queryKey: licensesKey() })

/** The license a dialog is about: from the page in view, else looked up, as when a link opened the dialog. */
export function useLicense(key: string | undefined, rows: readonly License[] | undefined) {
  const inView = rows?.find(({ license }) => license === key)
  const isElsewhere = key !== undefined && rows !== undefined && inView === undefined
  const { data, isFetching } = useQuery({
    ...licensesQuery({ page: 1, limit: 100, search: key?.slice(0, 200) }),
    enabled: isElsewhere,
  })
  const found = isElsewhere ? data?.licenses.find(({ license }) => license === key) : undefined
  return { license: inView ?? found, isMissing: isElsewhere && data !== undefined && !found && !isFetching }
}
