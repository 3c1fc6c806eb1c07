import { Type } from 'typebox'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { appFields, reply, strict, Text } from '#contract/fields.ts'

/** Subscription levels of an app (part 1 §3, §7 Subscriptions). Pausing, editing and deleting come with their screen. */

export const subscriptionsRefusals = {
  SUBSCRIPTION_NAME_REQUIRED: { status: 400, message: 'Subscription name is required' },
  SUBSCRIPTION_LEVEL_TAKEN: { status: 409, message: 'A subscription with this level already exists' },
  SUBSCRIPTION_NOT_FOUND: { status: 404, message: 'Subscription not found' },
} as const

export const SubscriptionReply = Type.Object({
  level: Type.Integer(),
  name: Type.String(),
  active: Type.Boolean(),
  userCount: Type.Integer(),
})

export const subscriptionsContract = {
  listSubscriptions: defineCall({
    method: 'GET',
    path: '/subscriptions',
    who: 'account',
    app: true,
    summary: 'All subscription levels of the app with their numbers of users.',
    query: strict({ ...appFields }),
    reply: reply({ subscriptions: Type.Array(SubscriptionReply) }),
  }),
  createSubscription: defineCall({
    method: 'POST',
    path: '/create_subscription',
    who: 'account',
    app: true,
    idempotent: true,
    summary: 'Create a level. Without `level` it is the highest existing one plus one.',
    body: strict({
      ...appFields,
      level: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
      name: Text(50),
      active: Type.Optional(Type.Boolean()),
    }),
    reply: reply({ subscription: SubscriptionReply }),
    refusals: subscriptionsRefusals,
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof subscriptionsContract> {}
}
