import { plural, t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import { alertCountQuery } from './alert-count.ts'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import { callQuery } from '#web/api/call-query.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { successText } from '#web/api/errors.ts'
import { codesShowing } from '#web/list/codes-showing.ts'
import { type ListFilter, pagedList } from '#web/list/list-source.ts'
import { notify, notifyUndoable } from '#web/browser/notify.ts'
import { queryClient } from '#web/api/query-client.ts'
import { inParts } from '#web/bulk/in-parts.ts'
import { changeAtOnce } from '#web/api/optimistic-change.ts'
import { appKey, appKeyOf } from '#web/api/query-keys.ts'
import { nowSeconds } from '#web/time/clock.ts'
import { calendarBounds, readTimeRange } from '#web/time/time-range.ts'
import { currentTimeZone } from '#web/browser/time-zone.ts'
import { codeText } from '#web/api/code-text.ts'
import { type AlertDecision, alertSeverities, alertStatuses, alertTypes } from '../alerts.rules.ts'
import { kindTexts } from './alert-kind-texts.ts'

type AlertFilter = ListFilter<'GET /alerts'>
export type Alert = CallReply<'GET /alerts'>['data'][number]

const kindTitles = Object.entries(kindTexts).map(([type, { title }]) => [type, title] as const)

/** Alerts are listed fifty per page. */
export const alertList = pagedList({
  key: () => appKey('alerts'),
  call: 'GET /alerts',
  live: 'alerts',
  rows: ({ data }) => data,
  rowId: ({ alertId }) => alertId,
  table: {
    defaultLimit: 50,
    filters: { type: alertTypes, severity: alertSeverities, status: alertStatuses, raised: 'text' },
    several: ['type', 'severity', 'status'],
    sorts: ['time', 'severity'],
  },
  // The table only offers valid values.
  filter: ({ search, filters: { type, severity, status, raised } }) => ({
    search: search || undefined,
    searchCodes: codesShowing(search, kindTitles),
    type: type as AlertFilter['type'],
    severity: severity as AlertFilter['severity'],
    status: status as AlertFilter['status'],
    ...calendarBounds(readTimeRange(raised), currentTimeZone(), nowSeconds()),
  }),
})

/** Refreshed with the list, whose key it shares. */
export const alertQuery = (id: string) =>
  queryOptions({
    queryKey: appKey('alerts', { id }),
    queryFn: async ({ signal }): Promise<OneAlert> => {
      const { alert } = await call('GET /alerts/{id}', { params: { id }, query: {}, signal })
      return { alert }
    },
  })

interface OneAlert {
  alert: Alert
}

/** More than alerts are kept: the counts are those of the list. */
const statsDays = 3650

export const alertStatsQuery = () =>
  callQuery(appKey('alert-stats'), 'GET /alerts/stats', { query: { days: statsDays } })

export const thresholdsQuery = () =>
  queryOptions({
    queryKey: appKey('alert-thresholds'),
    queryFn: async ({ signal }) => (await call('GET /alerts/thresholds', { signal })).thresholds,
  })

export const userActivityQuery = (username: string) =>
  queryOptions({
    queryKey: appKey('user-activity', username),
    queryFn: async ({ signal }) =>
      (await call('GET /alerts/user/{username}/activity', { params: { username }, signal })).activity,
  })

export const refreshAlerts = () =>
  Promise.all([
    alertList.refresh(),
    queryClient.invalidateQueries({ queryKey: alertStatsQuery().queryKey }),
    queryClient.invalidateQueries({ queryKey: alertCountQuery().queryKey }),
  ])

const failureOf = (action: AlertDecision): string =>
  ({
    review: t`Failed to review alert`,
    dismiss: t`Failed to dismiss alert`,
    reopen: t`Failed to reopen alert`,
  })[action]

const statusAfter = { review: 'reviewed', dismiss: 'dismissed', reopen: 'new' } as const

/** A page of the list, or the alert of the panel. */
type CachedAlerts = CallReply<'GET /alerts'> | OneAlert

const alertsIn = (data: CachedAlerts | undefined): readonly Alert[] =>
  data === undefined ? [] : 'alert' in data ? [data.alert] : data.data

/** The server skips alerts that are already decided, or not yet. */
const isDecidable = ({ status }: Alert, action: AlertDecision) => (status === 'new') === (action !== 'reopen')

/** Reviews, dismisses or reopens alerts; the toast of the first two offers Undo. False if it failed. */
export async function decideAlerts(
  alertIds: readonly string[],
  action: AlertDecision,
  appId = selectedAppStore.get()?.appId,
): Promise<boolean> {
  const [id, ...others] = alertIds
  if (id === undefined) return false
  const key = appKeyOf(appId, 'alerts')
  const ids = new Set(alertIds)
  const cached = queryClient.getQueriesData<CachedAlerts>({ queryKey: key })
  const before = new Map(cached.flatMap(([, data]) => alertsIn(data)).map((row) => [row.alertId, row.status]))
  const withStatus = (statusOf: (row: Alert) => Alert['status']) => {
    const changed = (row: Alert) => (ids.has(row.alertId) ? { ...row, status: statusOf(row) } : row)
    return (data: CachedAlerts): CachedAlerts =>
      'alert' in data ? { alert: changed(data.alert) } : { ...data, data: data.data.map(changed) }
  }
  return changeAtOnce({
    // One after the other: decisions on overlapping selections may contradict each other.
    id: 'status',
    queryKeys: [key],
    show: withStatus((row) => (isDecidable(row, action) ? statusAfter[action] : row.status)),
    takeBack: withStatus((row) => before.get(row.alertId) ?? row.status),
    send: async () => (others.length === 0 ? decideOne(id, action, appId) : decideMany(alertIds, action, appId)),
    onDone: (done) => done(),
    failure: others.length === 0 ? failureOf(action) : t`Failed to change alerts`,
    refresh: refreshAlerts,
  })
}

/** Uses the calls for single alerts, because bulk calls are not part of every plan. Returns what says that it is done. */
async function decideOne(id: string, action: AlertDecision, appId: string | undefined): Promise<() => void> {
  const input = { params: { id }, body: {}, appId }
  const send = {
    review: () => call('POST /alerts/{id}/review', input),
    dismiss: () => call('POST /alerts/{id}/dismiss', input),
    reopen: () => call('POST /alerts/{id}/reopen', input),
  }
  const reply = await send[action]()
  return () => notifyDecided(successText(reply), action, { done: [id], appId })
}

async function decideMany(
  alertIds: readonly string[],
  action: AlertDecision,
  appId: string | undefined,
): Promise<() => void> {
  const replies = await inParts(alertIds, (part) =>
    call('POST /alerts/bulk', { body: { action, alertIds: part }, appId }),
  )
  const results = replies.flatMap((reply) => reply.results)
  return () => {
    const done = results.filter(({ ok }) => ok).map(({ alertId }) => alertId)
    const problem = results.find(({ ok }) => !ok)
    const text = successText({ ...replies[0], values: { done: done.length } })
    if (done.length > 0) notifyDecided(text, action, { done, appId })
    if (!problem) return
    const [failed, reason] = [results.length - done.length, codeText(problem)]
    notify.warning(plural(failed, { one: `# alert skipped: ${reason}`, other: `# alerts skipped: ${reason}` }))
  }
}

interface Decided {
  done: readonly string[]
  /** When Undo is clicked, another app may be selected. */
  appId: string | undefined
}

function notifyDecided(text: string, action: AlertDecision, { done, appId }: Decided): void {
  if (action === 'reopen') notify.success(text)
  else notifyUndoable(text, () => void decideAlerts(done, 'reopen', appId))
}
