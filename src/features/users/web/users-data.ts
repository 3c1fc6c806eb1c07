import { selectedAppStore } from '#web/api/app-selection.ts'
import type { UndoBody } from '#web/bulk/bulk-action.ts'
import { call } from '#web/api/call.ts'
import { callQuery } from '#web/api/call-query.ts'
import type { CallOptions, CallReply } from '#web/api/call-types.ts'
import type { ListPage } from '#web/list/use-list-page.ts'
import { levelFilter } from '#web/list/level-filter.ts'
import { type ListFilter, pagedList } from '#web/list/list-source.ts'
import { queryClient } from '#web/api/query-client.ts'
import { appKey, appKeyOf } from '#web/api/query-keys.ts'
import { nowSeconds } from '#web/time/clock.ts'
import { calendarBounds, readTimeRange } from '#web/time/time-range.ts'
import { currentTimeZone } from '#web/browser/time-zone.ts'
import { userSorts } from '../user-list.rules.ts'

type UserList = CallReply<'GET /users'>
export type User = UserList['users'][number]
export type EntitlementState = User['subscriptions'][string]
export type UserCounts = UserList['counts']
export type UserFilter = Omit<ListFilter<'GET /users'>, 'appName' | 'appId'>
export type UsersInView = ListPage<User, UserList, UserFilter>

const statuses = ['active', 'expired', 'paused', 'banned'] as const

export const userList = pagedList({
  key: () => appKey('users'),
  call: 'GET /users',
  live: 'users',
  canCountAll: true,
  rows: ({ users }) => users,
  rowId: ({ username }) => username,
  table: {
    filters: { status: statuses, level: 'text', created: 'text', lastLogin: 'text' },
    several: ['status', 'level'],
    sorts: userSorts,
  },
  filter: ({ search, filters: { status, level, created, lastLogin } }): UserFilter => {
    const [creation, signIn] = [created, lastLogin].map((period) =>
      calendarBounds(readTimeRange(period), currentTimeZone(), nowSeconds()),
    )
    return {
      search: search.trim() || undefined,
      // The table only offers valid values.
      status: status as UserFilter['status'],
      level: levelFilter(level),
      createdFrom: creation?.from,
      createdUntil: creation?.until,
      lastLoginFrom: signIn?.from,
      lastLoginUntil: signIn?.until,
    }
  },
})

/** Undo for actions on users of the currently selected app; another app may be selected by then. */
export function userUndo() {
  const appId = selectedAppStore.get()?.appId
  const queryKey = appKeyOf(appId, 'users')
  return {
    appId,
    undo: (body: UndoBody, options: Pick<CallOptions, 'idempotencyKey' | 'signal'>) =>
      call('POST /users/undo', { body, appId, ...options }),
    refresh: () => queryClient.invalidateQueries({ queryKey }),
  }
}

/** Refreshed with the lists, whose key it shares, and as the user's variables change. */
export const userQuery = (username: string) =>
  callQuery(appKey('users', 'one', username), 'GET /user/{username}', { params: { username }, query: {} })

/** Includes the levels that can be added to this user, also expired ones. Refreshed with the list. */
export const userSubscriptionsQuery = (username: string) =>
  callQuery(appKey('users', 'subscriptions', username), 'GET /user/{username}/subscriptions', {
    params: { username },
    query: {},
  })

/** Numbers of users by level. */
export const userFacetsQuery = () => callQuery(appKey('user-facets'), 'GET /user_facets')

export const levelsQuery = () => callQuery(appKey('subscriptions', 'options'), 'GET /subscriptions')
