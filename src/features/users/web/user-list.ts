import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/call.ts'
import type { CallReply } from '#web/call-types.ts'
import { queryClient } from '#web/query-client.ts'
import { appKey } from '#web/session.ts'

export type User = CallReply<'GET /users'>['users'][number]
export type EntitlementState = User['subscriptions'][string]
export type UserCounts = CallReply<'GET /users'>['counts']

export const userStatuses = ['active', 'expired', 'paused', 'banned'] as const
export const userTableOptions = { filters: { status: userStatuses, level: 'text' } } as const

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

export const usersQuery = (query: UserFilter & { page: number; limit: number }) =>
  queryOptions({
    queryKey: appKey('users', query),
    queryFn: ({ signal }) => call('GET /users', { query, signal }),
  })

export const refreshUsers = () => queryClient.invalidateQueries({ queryKey: appKey('users') })

export const levelsQuery = () =>
  queryOptions({
    queryKey: appKey('subscriptions', 'options'),
    queryFn: ({ signal }) => call('GET /subscriptions', { signal }),
  })
