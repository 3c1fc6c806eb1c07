import type { Static } from 'typebox'
import type { SubscriptionReply } from './subscriptions.contract.ts'
import type { Subscription } from './subscriptions.queries.ts'

/** A level as the wire has it. */
export const subscriptionReply = (
  { level, name, active }: Subscription,
  userCount: number,
): Static<typeof SubscriptionReply> => ({ level, name, active: active === 1, userCount })
