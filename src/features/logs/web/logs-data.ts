import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { unknownCountry } from '#contract/country-filter.ts'
import { call } from '#web/api/call.ts'
import { callQuery } from '#web/api/call-query.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { codesShowing } from '#web/list/codes-showing.ts'
import { pagedList } from '#web/list/list-source.ts'
import { appKey } from '#web/api/query-keys.ts'
import { readTimeRange, timeRangeBounds } from '#web/time/time-range.ts'
import { currentTimeZone } from '#web/browser/time-zone.ts'
import {
  customerFilters,
  loggedCalls,
  messageCall,
  notAdmittedCode,
  notAdmittedCount,
  rejectedCall,
} from '../logs.rules.ts'
import { rejectionTexts, rejectionTitle } from './rejection-texts.ts'

export type LogPage = CallReply<'GET /logs'>
export type Log = LogPage['logs'][number]

/** Saved views and bookmarks contain these values. */
const results = ['refused', 'allowed']

/** The ranges that the filter offers, in days. */
export const dayRanges = [1, 7, 30, 90] as const

export const logList = pagedList({
  key: () => appKey('logs'),
  call: 'GET /logs',
  rows: ({ logs }) => logs,
  rowId: ({ id }) => String(id),
  table: {
    several: ['result', 'call', 'code'],
    sorts: ['date'],
    filters: {
      result: results,
      customers: customerFilters,
      call: loggedCalls,
      code: Object.keys(rejectionTexts),
      credential: 'text',
      ip: 'text',
      country: 'text',
      hwid: 'text',
      days: 'text',
    },
  },
  filter: ({ search, filters: { result, customers, call, code, credential, ip, country, hwid, days } }) => ({
    search: search || undefined,
    searchCodes: codesShowing(search, shownTexts),
    customers: customers as (typeof customerFilters)[number] | undefined,
    // Both are all.
    rejected: result === 'refused' ? true : result === 'allowed' ? false : undefined,
    call,
    code,
    credential,
    ip,
    country: isCountry(country) ? country : undefined,
    hwid,
    ...timeRangeBounds(readTimeRange(days), currentTimeZone()),
  }),
})

/** Refreshed with the list, whose key it shares. */
export const logQuery = (id: string) =>
  callQuery(appKey('logs', { id }), 'GET /log/{id}', { params: { id }, query: {} })

type LogFilter = ReturnType<typeof logList.filter>

/** Numbers of entries by result, call, and code. */
export const logFacetsQuery = (filter: LogFilter) =>
  queryOptions({
    queryKey: appKey('logs', 'facets', filter),
    queryFn: ({ signal }) => call('GET /log_facets', { query: filter, signal }),
    placeholderData: keepPreviousData,
  })

/** Refreshed with the list, whose key it shares. */
export const histogramQuery = (filter: LogFilter, edges: readonly number[]) =>
  queryOptions({
    queryKey: appKey('logs', 'histogram', { ...filter, edges }),
    queryFn: ({ signal }) => call('GET /log_histogram', { query: { ...filter, edges: edges.join(',') }, signal }),
    placeholderData: keepPreviousData,
  })

/** The address may contain anything. */
const isCountry = (text = ''): boolean => text === unknownCountry || /^[A-Z]{2}$/.test(text)

/** Name of a country in the filter, in the user's language. */
export function countryName(country: string): string {
  if (!/^[A-Z]{2}$/.test(country)) return t`Unknown`
  return new Intl.DisplayNames(i18n.locale, { type: 'region', fallback: 'code' }).of(country) ?? country
}

/** Texts of successful calls. */
const callTexts: Record<string, MessageDescriptor> = {
  init: msg`Started`,
  license: msg`Signed in with a license key`,
  login: msg({ message: 'Signed in', context: 'event' }),
  register: msg`Registered`,
  renew: msg`Renewed the session`,
  heartbeat: msg`Still running`,
  variable: msg`Read a variable`,
  'user-variable': msg`Read a user variable`,
  'set-user-variable': msg`Set a user variable`,
  log: msg`Wrote a message`,
  upgrade: msg`Added a license`,
  'change-password': msg`Changed the password`,
  'request-password-reset': msg`Asked for a new password`,
  download: msg`Asked for a file`,
  'call-webhook': msg`Called a webhook`,
  logout: msg`Signed out`,
}

/** Displayed texts, keyed by error code, or by call for successful calls. */
const shownTexts = [
  ...Object.entries(callTexts),
  ...Object.entries(rejectionTexts).map(([code, { title }]) => [code, title] as const),
]

/** Names of the protocol calls, by the program's intent. */
const callNames: Record<string, MessageDescriptor> = {
  init: msg`Start`,
  license: msg`Sign-in with a license key`,
  login: msg`Sign-in`,
  register: msg({ message: 'Registration', context: 'call' }),
  renew: msg`Session renewal`,
  heartbeat: msg`Heartbeat`,
  variable: msg`Variable`,
  'user-variable': msg`User variable`,
  'set-user-variable': msg`User variable change`,
  upgrade: msg`Another license`,
  'change-password': msg`Password change`,
  'request-password-reset': msg({ message: 'Password reset', context: 'call' }),
  download: msg({ message: 'File', context: 'call' }),
  'call-webhook': msg({ message: 'Webhook', context: 'call' }),
  logout: msg`Sign-out`,
  [messageCall]: msg`Program message`,
  [rejectedCall]: msg`Rejected requests`,
}

export function callName(call: string): string {
  const name = callNames[call]
  return name ? i18n._(name) : call
}

/** The text of a row in the user's language; messages written by programs are not translated. */
export function logLine({ call, code, message }: Pick<Log, 'call' | 'code' | 'message'>): string {
  if (code === notAdmittedCode) {
    const count = notAdmittedCount(message)
    return plural(count, { one: '# more request rejected', other: '# more requests rejected' })
  }
  if (code !== '') return rejectionTitle(code)
  const text = callTexts[call]
  return text ? i18n._(text) : message
}
