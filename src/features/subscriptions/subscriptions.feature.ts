import type { Feature } from '#server/http/endpoint.ts'
import { bulkDeleteSubscriptions } from './api/bulk-delete-subscriptions.ts'
import { subscriptionCalls } from './api/subscriptions.ts'
import { subscriptionsContract } from './subscriptions.contract.ts'

export const subscriptions: Feature = {
  name: 'subscriptions',
  contract: subscriptionsContract,
  endpoints: [...subscriptionCalls, bulkDeleteSubscriptions],
}
