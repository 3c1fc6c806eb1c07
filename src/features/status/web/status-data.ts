import { queryOptions } from '@tanstack/react-query'
import type { CallReply } from '#web/api/call-types.ts'
import { call } from '#web/api/call.ts'
import { accountKey } from '#web/api/query-keys.ts'
import type { Account } from '#web/session/session.ts'

export type Status = CallReply<'GET /status'>
export type Part = Status['parts'][number]
export type PlatformHealth = CallReply<'GET /admin/health'>

/** How often the page asks again. */
const refetchMs = 30_000
/** A server that says nothing for so long is away: the next question is another one. */
const maxWaitMs = 20_000

/** The calls of owners and of resellers say the same. */
export const statusQuery = ({ role }: Account) =>
  queryOptions({
    queryKey: accountKey('status'),
    queryFn: async ({ signal }): Promise<Status> => {
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), maxWaitMs)
      try {
        const either = AbortSignal.any([signal, late.signal])
        return await call(role === 'reseller' ? 'GET /reseller/status' : 'GET /status', { signal: either })
      } finally {
        clearTimeout(timer)
      }
    },
    staleTime: 0,
    retry: false,
    refetchInterval: refetchMs,
  })

/** Nobody knows any more how things are: two answers are missing. */
export const maxAgeSeconds = 75

export const platformHealthQuery = queryOptions({
  queryKey: accountKey('admin', 'health'),
  queryFn: ({ signal }): Promise<PlatformHealth> => call('GET /admin/health', { signal }),
  refetchInterval: 60_000,
})
