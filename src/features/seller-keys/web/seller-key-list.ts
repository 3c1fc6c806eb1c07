import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/call.ts'
import type { CallReply } from '#web/call-types.ts'
import { queryClient } from '#web/query-client.ts'
import { appKey } from '#web/session.ts'

export type SellerKey = CallReply<'GET /seller_keys'>['sellerKeys'][number]

export interface SellerKeyPage {
  page: number
  limit: number
  search?: string
}

export const sellerKeysQuery = (query: SellerKeyPage) =>
  queryOptions({
    queryKey: appKey('seller-keys', query),
    queryFn: ({ signal }) => call('GET /seller_keys', { query, signal }),
  })

export const refreshSellerKeys = () => queryClient.invalidateQueries({ queryKey: appKey('seller-keys') })

/** More stand in the tooltip. */
export const maxShownIps = 2
