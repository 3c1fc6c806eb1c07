import { t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import { csvLine } from '#contract/csv.ts'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { successText } from '#web/api/errors.ts'
import { type SortValues, sortRows } from '#web/list/sort-rows.ts'
import { wholeList } from '#web/list/whole-list.ts'
import { notify, notifyUndoable } from '#web/browser/notify.ts'
import { changeAtOnce, withFields } from '#web/api/optimistic-change.ts'
import { queryClient } from '#web/api/query-client.ts'
import { appKey, appKeyOf } from '#web/api/query-keys.ts'
import { paths } from '#web/navigation/paths.ts'
import { saveTextFile } from '#web/browser/save-text-file.ts'
import type { App } from '#web/session/session.ts'

export type Subscription = CallReply<'GET /subscriptions'>['subscriptions'][number]

const subscriptionsQuery = (appId = selectedAppStore.get()?.appId) =>
  queryOptions({
    queryKey: appKeyOf(appId, 'subscriptions', 'list'),
    queryFn: async ({ signal }): Promise<readonly Subscription[]> =>
      (await call('GET /manage_subscriptions', { signal, appId })).subscriptions,
  })

/** As the list shows and sorts it. */
export const statusText = ({ active }: Pick<Subscription, 'active'>): string =>
  active ? t({ message: 'Active', context: 'subscription' }) : t({ message: 'Paused', context: 'subscription' })

const sortValues: SortValues<Subscription> = {
  name: ({ name }) => name,
  level: ({ level }) => level,
  users: ({ userCount }) => userCount,
  status: (row) => statusText(row),
}

export const subscriptionList = wholeList({
  query: () => subscriptionsQuery(),
  // Users come and go at the levels.
  live: ['subscriptions', 'users'],
  rowId: ({ level }: Subscription) => String(level),
  table: { filters: { status: ['active', 'paused'] }, sorts: Object.keys(sortValues) },
  arrange: (all, { search, filters: { status }, sort }) => {
    const text = search.trim().toLowerCase()
    const found = all.filter(({ name, level, active }) => {
      if (status !== undefined && (status === 'active') !== active) return false
      return text === '' || name.toLowerCase().includes(text) || String(level) === text
    })
    return sortRows(found, sort, sortValues)
  },
})

/** Refetches the list and the levels offered on other screens. */
export const refreshSubscriptions = () => queryClient.invalidateQueries({ queryKey: appKey('subscriptions') })

/** The next level: the highest existing one plus one. */
export const nextLevel = (all: readonly Subscription[]) => Math.max(0, ...all.map(({ level }) => level)) + 1

/** Pauses or activates a level; users of a paused one are rejected. Can be undone. */
export async function toggleSubscription(
  { level, active }: Pick<Subscription, 'level' | 'active'>,
  // Undo can be clicked after switching to another app.
  appId = selectedAppStore.get()?.appId,
  isUndo = false,
) {
  const isLevel = (row: Partial<Subscription>) => row.level === level && row.active !== undefined
  const undo = () => void toggleSubscription({ level, active: !active }, appId, true)
  await changeAtOnce({
    id: String(level),
    queryKeys: [appKeyOf(appId, 'subscriptions')],
    show: withFields<Subscription>(isLevel, { active: !active }),
    takeBack: withFields<Subscription>(isLevel, { active }),
    send: () => call('POST /toggle_subscription_status', { body: { level, active: !active }, appId }),
    onDone: (reply) => (isUndo ? notify.success(successText(reply)) : notifyUndoable(successText(reply), undo)),
    failure: t`Failed to update subscription status`,
  })
}

export function exportSubscriptions(app: App, all: readonly Subscription[]): void {
  const lines = all.map(({ level, name, userCount, active }) =>
    csvLine([String(level), name, String(userCount), active ? 'active' : 'paused']),
  )
  saveTextFile(`subscriptions-${app.appName}`, 'csv', csvLine(['Level', 'Name', 'Users', 'Status']) + lines.join(''))
}

/** The list of users who have a level, also an ended one. */
export const usersOfLevel = (level: number) => ({ to: paths.users(), search: { 'f.level': String(level) } })
