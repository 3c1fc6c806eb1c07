import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { auditEvents, auditSubjects, actorTypes } from '#contract/audit-events.ts'
import type { ListOf } from '#contract/list-field.ts'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import type { ListRequest } from '#web/list/list-request.ts'
import { pagedList, unannouncedMs } from '#web/list/list-source.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { readTimeRange, timeRangeBounds } from '#web/time/time-range.ts'
import { currentTimeZone } from '#web/browser/time-zone.ts'

export type AuditEntry = CallReply<'GET /audit'>['entries'][number]

/** The ranges offered by the filter, in days. */
export const dayRanges = [1, 7, 30, 90, 365] as const

const filters = {
  act: [...auditSubjects, ...auditEvents],
  actor: actorTypes,
  actorId: 'text' as const,
  app: 'text' as const,
  days: 'text' as const,
  ip: 'text' as const,
}

const several = ['act', 'actor']

function filterOf({ search, filters: { act, actor, actorId, app, days, ip } }: ListRequest) {
  return {
    search: search || undefined,
    act,
    // The table only offers valid values.
    actor: actor as ListOf<(typeof actorTypes)[number]> | undefined,
    actorId,
    inApp: app,
    ...timeRangeBounds(readTimeRange(days), currentTimeZone()),
    ip,
  }
}

const following = { liveEveryMs: unannouncedMs, isAppendOnly: true }

export const auditList = pagedList({
  key: () => accountKey('audit'),
  call: 'GET /audit',
  rows: ({ entries }) => entries,
  rowId: ({ id }) => String(id),
  table: { filters, several, sorts: ['time'] },
  filter: filterOf,
  ...following,
})

export const platformAuditList = pagedList({
  key: () => accountKey('admin', 'audit'),
  call: 'GET /admin/audit',
  rows: ({ entries }) => entries,
  rowId: ({ id }) => String(id),
  table: { filters: { ...filters, owner: 'text' }, several, sorts: ['time'] },
  filter: (request) => ({ ...filterOf(request), ownerId: request.filters['owner'] }),
  ...following,
})

/** Numbers of entries by event and kind of actor. */
export const auditFacetsQuery = (request: ListRequest, isPlatform: boolean) =>
  queryOptions({
    queryKey: isPlatform
      ? accountKey('admin', 'audit', 'facets', platformAuditList.filter(request))
      : accountKey('audit', 'facets', auditList.filter(request)),
    queryFn: ({ signal }) =>
      isPlatform
        ? call('GET /admin/audit_facets', { query: platformAuditList.filter(request), signal })
        : call('GET /audit_facets', { query: auditList.filter(request), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: unannouncedMs,
  })

/** Refreshed with the list, whose key it shares. */
export const auditEntryQuery = (id: string, isPlatform: boolean) =>
  queryOptions({
    queryKey: isPlatform ? accountKey('admin', 'audit', 'entry', id) : accountKey('audit', 'entry', id),
    queryFn: ({ signal }) => {
      const input = { params: { id }, signal }
      return isPlatform ? call('GET /admin/audit/{id}', input) : call('GET /audit/{id}', input)
    },
  })

const targetsPerPage = 50

/** A page of the targets of a bulk action. */
export const auditTargetsQuery = (id: number, { page, isPlatform }: { page: number; isPlatform: boolean }) =>
  queryOptions({
    queryKey: isPlatform ? accountKey('admin', 'audit', 'targets', id, page) : accountKey('audit', 'targets', id, page),
    queryFn: ({ signal }) => {
      const input = { params: { id: String(id) }, query: { page, limit: targetsPerPage }, signal }
      return isPlatform ? call('GET /admin/audit/{id}/targets', input) : call('GET /audit/{id}/targets', input)
    },
    // Audit targets never change.
    staleTime: Infinity,
  })
