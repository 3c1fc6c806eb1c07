import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/call.ts'
import type { CallReply } from '#web/call-types.ts'
import { pagedList } from '#web/list/list-source.ts'
import { queryClient } from '#web/query-client.ts'
import { appKey } from '#web/query-keys.ts'

export type User = CallReply<'GET /users'>['users'][number]
export type EntitlementState = User['subscriptions'][string]
export type UserCounts = CallReply<'GET /users'>['counts']

export const userStatuses = ['active', 'expired', 'paused', 'banned'] as const

export interface UserFilter {
  search?: string
  status?: (typeof userStatuses)[number]
  level?: number
}

interface TableState {
  search: string
  filters: { status?: string; level?: string }
}

export function userFilter({ search, filters }: TableState): UserFilter {
  const level = Number(filters.level)
  return {
    ...(search.trim() && { search: search.trim() }),
    ...(filters.status && { status: filters.status as UserFilter['status'] }),
    ...(Number.isInteger(level) && level > 0 && { level }),
  }
}

export const userList = pagedList({
  key: () => appKey('users'),
  call: 'GET /users',
  rows: ({ users }) => users,
  rowId: ({ username }) => username,
  table: { filters: { status: userStatuses, level: 'text' } },
  filter: userFilter,
})

export const refreshUsers = () => queryClient.invalidateQueries({ queryKey: appKey('users') })

export const levelsQuery = () =>
  queryOptions({
    queryKey: appKey('subscriptions', 'options'),
    queryFn: ({ signal }) => call('GET /subscriptions', { signal }),
  })
