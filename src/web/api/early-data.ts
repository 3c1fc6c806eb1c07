import { selectedAppStore } from './app-selection.ts'
import { urlOf } from './call.ts'
import type { CallInput, CallKey, CallReply } from './call-types.ts'
import { takeEarlyReply, usableReply } from './early-replies.ts'

/**
 * The reply to a read of the selected app which `public/start.js` has asked for, if its data is here already; at most
 * once. As `initialData` of a query it is shown by the first rendering, which otherwise shows a skeleton first.
 */
export function earlyData<K extends CallKey>(key: K, query?: CallInput<K>['query']): CallReply<K> | undefined {
  const [, path = ''] = key.split(' ')
  const url = urlOf(path, { query: { ...query } })
  const appId = selectedAppStore.get()?.appId
  const data = usableReply(url, appId ?? null)?.data
  if (data?.success !== true) return undefined
  void takeEarlyReply(url, appId ?? null)
  return data as CallReply<K>
}
