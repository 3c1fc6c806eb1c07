import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { appKeyOf } from '#web/api/query-keys.ts'
import { notify } from '#web/browser/notify.ts'
import { appsQuery } from '#web/session/session.ts'

/** When the keys of an app were replaced, oldest first; epoch seconds. */
export const replacedKeysQuery = (appId: string) =>
  queryOptions({
    queryKey: appKeyOf(appId, 'replaced-keys'),
    queryFn: async ({ signal }) => (await call('GET /replaced_app_keys', { appId, signal })).replacedAt,
  })

/** Replaces or retires the keys, then reads them again: snippets contain them. */
export function useKeysAction(
  appId: string,
  path: 'POST /replace_app_keys' | 'POST /retire_replaced_keys',
  onDone: () => void,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(path, { appId, body: { appId } }),
    onSuccess: async (reply) => {
      onDone()
      notify.success(successText(reply))
      await Promise.all([
        queryClient.refetchQueries(appsQuery),
        queryClient.refetchQueries({ queryKey: replacedKeysQuery(appId).queryKey }),
      ])
    },
  })
}
