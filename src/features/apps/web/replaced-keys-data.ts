import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { queryClient } from '#web/api/query-client.ts'
import { appKeyOf } from '#web/api/query-keys.ts'
import { appsQuery } from '#web/session/session.ts'

/** When the keys of an app were replaced, oldest first; epoch seconds. */
export const replacedKeysQuery = (appId: string) =>
  queryOptions({
    queryKey: appKeyOf(appId, 'replaced-keys'),
    queryFn: async ({ signal }) => (await call('GET /replaced_app_keys', { appId, signal })).replacedAt,
  })

/** After the keys were replaced or retired: snippets contain them. */
export const refreshKeys = (appId: string) =>
  Promise.all([
    queryClient.refetchQueries(appsQuery),
    queryClient.refetchQueries({ queryKey: replacedKeysQuery(appId).queryKey }),
  ])
