import { unknownCountry } from '#contract/country-filter.ts'
import { callQuery } from '#web/api/call-query.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { type ListFilter, pagedList } from '#web/list/list-source.ts'
import { queryClient } from '#web/api/query-client.ts'
import { accountKey, appKey } from '#web/api/query-keys.ts'
import { nowSeconds } from '#web/time/clock.ts'
import { calendarBounds, readTimeRange } from '#web/time/time-range.ts'
import { currentTimeZone } from '#web/browser/time-zone.ts'
import { sessionSorts, sessionStatuses } from '#features/session-store/session-store.rules.ts'

export type SessionList = CallReply<'GET /sessions'>
export type ProgramSession = SessionList['sessions'][number]
export type SessionFilter = Omit<ListFilter<'GET /sessions'>, 'appName' | 'appId'>

export const sessionList = pagedList({
  key: () => appKey('sessions'),
  call: 'GET /sessions',
  live: 'sessions',
  // A session becomes inactive without a call.
  liveEveryMs: 60_000,
  rows: ({ sessions }) => sessions,
  rowId: ({ session_id }) => session_id,
  table: {
    filters: { status: sessionStatuses, country: 'text', created: 'text', seen: 'text', hwid: 'text', ip: 'text' },
    several: ['status', 'country'],
    sorts: sessionSorts,
  },
  filter: ({ search, filters: { status, country, created, seen, hwid, ip } }): SessionFilter => {
    const [start, heartbeat] = [created, seen].map((period) =>
      calendarBounds(readTimeRange(period), currentTimeZone(), nowSeconds()),
    )
    return {
      search: search || undefined,
      // The table only offers valid values.
      status: status as SessionFilter['status'],
      country: countryFilter(country),
      createdFrom: start?.from,
      createdUntil: start?.until,
      seenFrom: heartbeat?.from,
      seenUntil: heartbeat?.until,
      hwid: hwid && hwid.length <= maxFieldLength ? hwid : undefined,
      ip: ip && ip.length <= maxFieldLength ? ip : undefined,
    }
  },
})

const maxFieldLength = 64
const maxCountries = 20

/** The countries of the address, which may contain anything. */
export function countryFilter(text = ''): string | undefined {
  const countries = text.split(',').filter((each) => each === unknownCountry || /^[A-Z]{2}$/.test(each))
  return countries.slice(0, maxCountries).join(',') || undefined
}

/** Numbers of sessions by country. */
export const sessionFacetsQuery = () => callQuery(appKey('session-facets'), 'GET /session_facets')

/** A user may have several sessions; the start of the ID distinguishes them. */
export const sessionLabel = ({ session_id, verifiedUser }: ProgramSession) =>
  [verifiedUser, session_id.slice(0, 8)].filter(Boolean).join(' ')

/** The app selector also shows the number of sessions. */
export const refreshSessions = () =>
  Promise.all([sessionList.refresh(), queryClient.invalidateQueries({ queryKey: accountKey('apps') })])
