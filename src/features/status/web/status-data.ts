import { queryOptions } from '@tanstack/react-query'
import type { CallReply } from '#web/api/call-types.ts'
import { call } from '#web/api/call.ts'
import { accountKey } from '#web/api/query-keys.ts'
import type { Account } from '#web/session/session.ts'

export type Status = CallReply<'GET /status'>
export type Part = Status['parts'][number]
export type PlatformHealth = CallReply<'GET /admin/health'>

/** Refetch interval of the page. */
const refetchMs = 30_000
/** Request timeout: a server that does not respond within this time counts as unreachable. */
const maxWaitMs = 20_000

/** Owners and resellers use different calls with the same reply. */
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

/** Age from which the status counts as unknown: two refreshes have failed. */
export const maxAgeSeconds = 75

export const platformHealthQuery = queryOptions({
  queryKey: accountKey('admin', 'health'),
  queryFn: ({ signal }): Promise<PlatformHealth> => call('GET /admin/health', { signal }),
  refetchInterval: 60_000,
})
