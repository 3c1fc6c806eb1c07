import { t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { pagedList } from '#web/list/list-source.ts'
import { notify } from '#web/browser/notify.ts'
import { queryClient } from '#web/api/query-client.ts'
import { accountKey } from '#web/api/query-keys.ts'

export type AdminOwner = CallReply<'GET /admin/owners'>['owners'][number]
export type AdminPlan = CallReply<'GET /admin/plans'>['plans'][number]
export type AdminSettings = CallReply<'GET /admin/settings'>['settings']

export const ownerList = pagedList({
  key: () => accountKey('admin', 'owners'),
  call: 'GET /admin/owners',
  rows: ({ owners }) => owners,
  rowId: ({ ownerid }) => ownerid,
})

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

export const setOwnerBan = ({ ownerid }: AdminOwner, banned: boolean) =>
  call('POST /admin/owners/{id}/ban', { params: { id: ownerid }, body: { banned } })

export async function unbanOwner(owner: AdminOwner): Promise<void> {
  try {
    notify.success(successText(await setOwnerBan(owner, false)))
  } catch (error) {
    notify.error(failureText(error, t`Failed to update owner status`))
  }
  await ownerList.refresh()
}

export const startReset = ({ ownerid }: AdminOwner) =>
  call('POST /admin/owners/{id}/password-reset', { params: { id: ownerid } })

export async function initPlans(): Promise<void> {
  try {
    const reply = await call('POST /admin/init-plans')
    showPlans(reply.plans)
    notify.success(successText(reply))
  } catch (error) {
    notify.error(failureText(error, t`Failed to initialize plans`))
  }
}
