import { Type } from 'typebox'
import { reply, strict, Text } from '#contract/fields.ts'
import { Level } from '#contract/level-field.ts'
import { SubscriptionReply, subscriptionsContract } from '#features/subscriptions/subscriptions.contract.ts'
import { fieldsOf, insteadOf, sellerCall } from './seller-call.contract.ts'

/** Subscription level calls with a seller key. */

const { listSubscriptions, createSubscription, updateSubscription, toggleSubscriptionStatus } = subscriptionsContract
const { deleteSubscription, bulkDeleteSubscriptions } = subscriptionsContract

const params = Type.Object({ level: Level })

const errors = {
  ...createSubscription.errors,
  NOTHING_TO_CHANGE: { status: 400, message: 'Send a name, or whether the subscription is active' },
} as const

export const sellerSubscriptionsErrors = errors

export const sellerSubscriptionsContract = {
  listSubscriptions: sellerCall('GET /subscriptions', {
    scope: 'subscriptions:read',
    summary: 'List all subscription levels of the app, each with its number of users.',
    query: strict({}),
    reply: listSubscriptions.reply,
  }),
  createSubscription: sellerCall('POST /subscriptions', {
    scope: 'subscriptions:write',
    idempotent: true,
    summary: 'Create a subscription level. Without `level`, it gets the highest existing level plus one.',
    body: fieldsOf(createSubscription.body, ['appName', 'appId']),
    reply: createSubscription.reply,
    errors,
    successes: createSubscription.successes,
    replaces: [insteadOf(createSubscription)],
  }),
  editSubscription: sellerCall('PUT /subscriptions/{level}', {
    scope: 'subscriptions:write',
    summary: 'Rename, pause or activate a subscription level. The level number cannot be changed.',
    params,
    body: strict({ name: Type.Optional(Text(50)), active: Type.Optional(Type.Boolean()) }),
    reply: reply({ subscription: SubscriptionReply }),
    errors,
    successes: updateSubscription.successes,
    replaces: [insteadOf(updateSubscription), insteadOf(toggleSubscriptionStatus)],
  }),
  deleteSubscription: sellerCall('DELETE /subscriptions/{level}', {
    scope: 'subscriptions:write',
    summary:
      'Delete a subscription level. A level in use is deleted only with `forceDelete`, which needs `licenses:delete` and `users:write` too: it also deletes its licenses and removes it from its users.',
    params,
    query: strict({ forceDelete: Type.Optional(Type.Boolean()) }),
    reply: reply({ deletedLicenses: Type.Integer(), removedUsers: Type.Integer() }),
    errors,
    successes: deleteSubscription.successes,
    replaces: [insteadOf(deleteSubscription), insteadOf(bulkDeleteSubscriptions, { level: 'levels' })],
  }),
}
