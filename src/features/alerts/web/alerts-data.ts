import { t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import { alertCountQuery } from '#web/alert-count.ts'
import { call } from '#web/call.ts'
import type { CallReply } from '#web/call-types.ts'
import { failureText, successText } from '#web/errors.ts'
import { pagedList } from '#web/list/list-source.ts'
import { notify, notifyUndoable } from '#web/notify.ts'
import { queryClient } from '#web/query-client.ts'
import { appKey } from '#web/query-keys.ts'
import {
  alertSeverities,
  type AlertSeverity,
  alertStatuses,
  type AlertStatus,
  type AlertType,
  alertTypes,
} from '../alerts.rules.ts'

export type Alert = CallReply<'GET /alerts'>['data'][number]

/** The page of alerts is fifty (part 2 §9). */
export const alertList = pagedList({
  key: () => appKey('alerts'),
  call: 'GET /alerts',
  rows: ({ data }) => data,
  rowId: ({ alertId }) => alertId,
  table: {
    defaultLimit: 50,
    filters: { type: alertTypes, severity: alertSeverities, status: alertStatuses },
  },
  // The table allows no other values.
  filter: ({ search, filters: { type, severity, status } }) => ({
    search: search || undefined,
    type: type as AlertType | undefined,
    severity: severity as AlertSeverity | undefined,
    status: status as AlertStatus | undefined,
  }),
})

const statsDays = 30

export const alertStatsQuery = () =>
  queryOptions({
    queryKey: appKey('alert-stats'),
    queryFn: ({ signal }) => call('GET /alerts/stats', { query: { days: statsDays }, signal }),
  })

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

/** Reviews or dismisses an alert; the toast takes it back. */
export async function resolveAlert({ alertId: id }: Alert, as: 'review' | 'dismiss'): Promise<void> {
  try {
    const input = { params: { id }, body: {} }
    const reply =
      as === 'review' ? await call('POST /alerts/{id}/review', input) : await call('POST /alerts/{id}/dismiss', input)
    notifyUndoable(successText(reply), () => void reopen(id))
  } catch (error) {
    notify.error(failureText(error, as === 'review' ? t`Failed to review alert` : t`Failed to dismiss alert`))
  }
  await refreshAlerts()
}

async function reopen(id: string): Promise<void> {
  try {
    notify.success(successText(await call('POST /alerts/{id}/reopen', { params: { id }, body: {} })))
  } catch (error) {
    notify.error(failureText(error, t`Failed to reopen alert`))
  }
  await refreshAlerts()
}
