import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'
import type { CallArguments, CallKey } from './call-types.ts'

/** Query options whose data is a call's reply: `callQuery(appKey('logs', { id }), 'GET /log/{id}', { params: { id } })`. */
export const callQuery = <K extends CallKey>(queryKey: QueryKey, key: K, ...[input]: CallArguments<K>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => call(key, ...([{ ...input, signal }] as CallArguments<K>)) })
