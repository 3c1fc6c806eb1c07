import type { Feature } from '#server/endpoint.ts'
import { createSubscription } from './api/create-subscription.ts'
import { listSubscriptions } from './api/list-subscriptions.ts'
import { subscriptionsContract } from './subscriptions.contract.ts'

export const subscriptions: Feature = {
  name: 'subscriptions',
  contract: subscriptionsContract,
  endpoints: [listSubscriptions, createSubscription],
}
