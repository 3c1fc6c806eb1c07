import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { earlyData } from '#web/api/early-data.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { queryClient } from '#web/api/query-client.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { profileCalls } from '#web/session/account-calls.ts'

export type OwnSession = CallReply<'GET /profile/sessions'>['sessions'][number]

export const ownSessionsQuery = queryOptions({
  queryKey: accountKey('profile', 'sessions'),
  queryFn: async ({ signal }) => (await call(`GET ${profileCalls()}/sessions`, { signal })).sessions,
})

export const twoFactorQuery = queryOptions({
  queryKey: accountKey('profile', 'two-factor'),
  queryFn: ({ signal }) => call(`GET ${profileCalls()}/two-factor`, { signal }),
  initialData: () => earlyData(`GET ${profileCalls()}/two-factor`),
})

export const refreshProfile = () => queryClient.invalidateQueries({ queryKey: accountKey('profile') })
