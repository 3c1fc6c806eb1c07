import { t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import type { CallInput, CallReply } from '#web/api/call-types.ts'
import { successText } from '#web/api/errors.ts'
import { notifyOutcome } from '#web/api/notify-outcome.ts'
import { pagedList, unannouncedMs } from '#web/list/list-source.ts'
import { notify, notifyUndoable } from '#web/browser/notify.ts'
import { changeAtOnce, withFields } from '#web/api/optimistic-change.ts'
import { queryClient } from '#web/api/query-client.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { nowSeconds } from '#web/time/clock.ts'
import { calendarBounds, readTimeRange, timeRangeBounds } from '#web/time/time-range.ts'
import { currentTimeZone } from '#web/browser/time-zone.ts'

export type AdminOwner = CallReply<'GET /admin/owners'>['owners'][number]
/** The reply without what says that it succeeded. */
export type OwnerRecord = Pick<
  CallReply<'GET /admin/owners/{id}'>,
  'owner' | 'twoFactor' | 'lastSignInAt' | 'usage' | 'limits' | 'storage'
>
export type AdminPlan = CallReply<'GET /admin/plans'>['plans'][number]
export type PlanCount = CallReply<'GET /admin/stats'>['stats']['plans'][number]
export type AdminSettings = CallReply<'GET /admin/settings'>['settings']

export const ownerStatuses = ['active', 'banned', 'admin'] as const

export const ownerList = pagedList({
  key: () => accountKey('admin', 'owners'),
  call: 'GET /admin/owners',
  rows: ({ owners }) => owners,
  rowId: ({ ownerid }) => ownerid,
  table: {
    filters: {
      plan: 'text',
      status: ownerStatuses,
      days: 'text',
      ends: ['week'],
      limits: ['near'],
      growth: ['apps', 'licenses', 'users', 'signIns'],
      growthIn: 'text',
    },
    several: ['plan', 'status'],
    sorts: ['owner', 'plan', 'created'],
  },
  filter: ({ search, filters: { plan, status, days, ends, limits, growth, growthIn } }) => ({
    search: search || undefined,
    planName: plan,
    status: status as OwnerFilter['status'],
    ...timeRangeBounds(readTimeRange(days), currentTimeZone()),
    planEnds: ends as 'week' | undefined,
    limits: limits as 'near' | undefined,
    ...(growth !== undefined && growthFilter(growth as OwnerGrowth, growthIn)),
  }),
  liveEveryMs: unannouncedMs,
})

type OwnerFilter = NonNullable<CallInput<'GET /admin/owners'>['query']>
type OwnerGrowth = NonNullable<OwnerFilter['growth']>

/** The last days are calendar days, as the dashboard counts growth. */
function growthFilter(growth: OwnerGrowth, days: string | undefined) {
  const { from, until } = calendarBounds(readTimeRange(days), currentTimeZone(), nowSeconds())
  return { growth, growthFrom: from, growthUntil: until }
}

/** Refreshed with the list, whose key it shares. */
export const ownerQuery = (id: string) =>
  queryOptions({
    queryKey: accountKey('admin', 'owners', { id }),
    queryFn: async ({ signal }): Promise<OwnerRecord> => {
      const { owner, twoFactor, lastSignInAt, usage, limits, storage } = await call('GET /admin/owners/{id}', {
        params: { id },
        signal,
      })
      return { owner, twoFactor, lastSignInAt, usage, limits, storage }
    },
  })

/** After an act on an owner: the list with its counts, the panel, and what the audit has of it. */
export const refreshOwners = () =>
  Promise.all([
    ownerList.refresh(),
    queryClient.invalidateQueries(adminStatsQuery),
    queryClient.invalidateQueries({ queryKey: accountKey('admin', 'audit') }),
  ])

export const adminStatsQuery = queryOptions({
  queryKey: accountKey('admin', 'stats'),
  queryFn: async ({ signal }) => (await call('GET /admin/stats', { signal })).stats,
})

export const adminPlansQuery = queryOptions({
  queryKey: accountKey('admin', 'plans'),
  queryFn: async ({ signal }) => (await call('GET /admin/plans', { signal })).plans,
})

export const adminSettingsQuery = queryOptions({
  queryKey: accountKey('admin', 'settings'),
  queryFn: async ({ signal }) => (await call('GET /admin/settings', { signal })).settings,
})

/** Each change of plans returns all plans. */
export function showPlans(plans: AdminPlan[]): void {
  queryClient.setQueryData(adminPlansQuery.queryKey, plans)
}

/** Can be undone. */
export async function setOwnerBanned({ ownerid }: Pick<AdminOwner, 'ownerid'>, banned: boolean): Promise<void> {
  const isOwner = (row: Partial<AdminOwner>) => row.ownerid === ownerid && row.banned !== undefined
  await changeAtOnce({
    id: ownerid,
    queryKeys: [accountKey('admin', 'owners')],
    show: withFields<AdminOwner>(isOwner, { banned }),
    takeBack: withFields<AdminOwner>(isOwner, { banned: !banned }),
    send: () => call('POST /admin/owners/{id}/ban', { params: { id: ownerid }, body: { banned } }),
    onDone: (reply) => notifyUndoable(successText(reply), () => void setOwnerBanned({ ownerid }, !banned)),
    failure: t`Failed to update owner status`,
    refresh: refreshOwners,
  })
}

type PlanChange = CallReply<'POST /admin/owners/{id}/plan'> & { planType: string }

/** The result of a plan change; Undo restores the former plan with its end, unless somebody has changed it since. */
export function notifyPlanChange({ ownerid }: AdminOwner, { planType, planExpiresAt, previous, ...reply }: PlanChange) {
  const text = successText(reply)
  if (!previous) notify.success(text)
  else notifyUndoable(text, () => void restorePlan(ownerid, { ...previous, before: { planType, planExpiresAt } }))
}

async function restorePlan(id: string, body: CallInput<'POST /admin/owners/{id}/plan'>['body']): Promise<void> {
  await notifyOutcome(
    () => call('POST /admin/owners/{id}/plan', { params: { id }, body }),
    t`Failed to update owner plan`,
  )
  await refreshOwners()
}

export const startReset = ({ ownerid }: AdminOwner) =>
  call('POST /admin/owners/{id}/password-reset', { params: { id: ownerid } })

export async function initPlans(): Promise<void> {
  const reply = await notifyOutcome(() => call('POST /admin/init-plans'), t`Failed to initialize plans`)
  if (reply) showPlans(reply.plans)
}
