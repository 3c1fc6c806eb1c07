import type { Feature } from '#server/http/endpoint.ts'
import { bulkDeleteSubscriptions } from './api/bulk-delete-subscriptions.ts'
import { createSubscription } from './api/create-subscription.ts'
import { deleteSubscription } from './api/delete-subscription.ts'
import { listSubscriptions, manageSubscriptions } from './api/list-subscriptions.ts'
import { toggleSubscriptionStatus } from './api/toggle-subscription-status.ts'
import { updateSubscription } from './api/update-subscription.ts'
import { subscriptionsContract } from './subscriptions.contract.ts'

export const subscriptions: Feature = {
  name: 'subscriptions',
  contract: subscriptionsContract,
  endpoints: [
    listSubscriptions,
    manageSubscriptions,
    createSubscription,
    updateSubscription,
    toggleSubscriptionStatus,
    deleteSubscription,
    bulkDeleteSubscriptions,
  ],
}
