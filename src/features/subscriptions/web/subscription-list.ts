import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/call.ts'
import type { CallReply } from '#web/call-types.ts'
import { queryClient } from '#web/query-client.ts'
import { appKey } from '#web/session.ts'

export type Subscription = CallReply<'GET /subscriptions'>['subscriptions'][number]

export const subscriptionTableOptions = { filters: { status: ['active', 'paused'] } } as const

export const subscriptionsQuery = () =>
  queryOptions({
    queryKey: appKey('subscriptions', 'list'),
    queryFn: async ({ signal }) => (await call('GET /manage_subscriptions', { signal })).subscriptions,
  })

export const refreshSubscriptions = () => queryClient.invalidateQueries({ queryKey: appKey('subscriptions') })

/** The next level: the highest existing one plus one (part 1 §5). */
export const nextLevel = (all: readonly Subscription[]) => Math.max(0, ...all.map(({ level }) => level)) + 1

/** The server sends the list whole; searching and filtering happen here. */
export function matching(all: readonly Subscription[], search: string, status: string | undefined): Subscription[] {
  const text = search.trim().toLowerCase()
  return all.filter(({ name, level, active }) => {
    if (status !== undefined && (status === 'active') !== active) return false
    return text === '' || name.toLowerCase().includes(text) || String(level) === text
  })
}
