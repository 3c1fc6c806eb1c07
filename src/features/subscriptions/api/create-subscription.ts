import { done } from '#contract/define-call.ts'
import { createLevel } from '#features/levels/levels.actions.ts'
import { endpoint } from '#server/endpoint.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'
import { subscriptionReply } from '../subscriptions.reply.ts'

const call = subscriptionsContract.createSubscription

export const createSubscription = endpoint(call, {
  write: async (tx, context) => {
    const { level, name, active = true } = context.body
    const created = await createLevel(tx, context, { level, name, active })
    return { ...done(call, 'SUBSCRIPTION_CREATE_OK'), subscription: subscriptionReply(created, 0) }
  },
})
