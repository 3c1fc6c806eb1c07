import { Type } from 'typebox'
import { UndoIdReply } from '#contract/bulk.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall } from '#contract/define-call.ts'
import { appFields, beforeField, reply, strict } from '#contract/fields.ts'
import { Level } from '#contract/level-field.ts'
import { maxLevelNameLength } from '#features/levels/levels.rules.ts'
import { subscriptionsErrors } from './subscriptions.errors.ts'

/** Calls on the subscription levels of an app. */

export const SubscriptionReply = Type.Object({
  level: Type.Integer(),
  name: Type.String(),
  active: Type.Boolean(),
  userCount: Type.Integer(),
})

const Name = Type.String({ maxLength: maxLevelNameLength, rejection: 'SUBSCRIPTION_NAME_REQUIRED' })

const changeable = { name: Name, active: Type.Boolean() }

const list = <const P extends string>(name: `GET ${P}`, summary: string) =>
  appCall(name, {
    summary,
    query: strict({ ...appFields }),
    reply: reply({ subscriptions: Type.Array(SubscriptionReply) }),
  })

export const subscriptionsContract = {
  listSubscriptions: list(
    'GET /subscriptions',
    'List all subscription levels of the app, each with its number of users.',
  ),
  manageSubscriptions: list('GET /manage_subscriptions', 'Alias of GET /subscriptions.'),
  createSubscription: appCall('POST /create_subscription', {
    idempotent: true,
    summary: 'Create a subscription level. Without `level`, it gets the highest existing level plus one.',
    body: strict({ ...appFields, level: Type.Optional(Level), name: Name, active: Type.Optional(Type.Boolean()) }),
    reply: reply({ subscription: SubscriptionReply }),
    successes: { SUBSCRIPTION_CREATE_OK: 'Subscription created successfully' },
    errors: subscriptionsErrors,
  }),
  updateSubscription: appCall('POST /update_subscription', {
    summary:
      'Rename, pause or activate the subscription level `level`. The level number cannot be changed. Omitted fields keep their value.',
    body: strict({
      ...appFields,
      level: Level,
      ...beforeField(changeable),
      ...Type.Partial(Type.Object(changeable)).properties,
    }),
    reply: reply({ subscription: SubscriptionReply }),
    successes: { SUBSCRIPTION_UPDATE_OK: 'Subscription updated successfully' },
    errors: subscriptionsErrors,
  }),
  toggleSubscriptionStatus: appCall('POST /toggle_subscription_status', {
    summary:
      'Pause or activate a subscription level. `active` sets the state; without it, the state is toggled. Takes effect on the next call of each program.',
    body: strict({ ...appFields, level: Level, active: Type.Optional(Type.Boolean()) }),
    reply: reply({ active: Type.Boolean() }),
    successes: {
      SUBSCRIPTION_ACTIVATE_OK: 'Subscription activated successfully',
      SUBSCRIPTION_PAUSE_OK: 'Subscription paused successfully',
    },
    errors: subscriptionsErrors,
  }),
  deleteSubscription: appCall('POST /delete_subscription', {
    summary:
      "Delete a subscription level. A level in use is deleted only with `forceDelete`, which also deletes its licenses and removes it from its users. The reply's `undoId` restores all of it for 30 days.",
    body: strict({ ...appFields, level: Level, forceDelete: Type.Optional(Type.Boolean()) }),
    reply: reply({ deletedLicenses: Type.Integer(), removedUsers: Type.Integer(), undoId: UndoIdReply }),
    successes: { SUBSCRIPTION_DELETE_OK: 'Subscription deleted successfully' },
    errors: subscriptionsErrors,
  }),
  bulkDeleteSubscriptions: appCall('POST /subscriptions/bulk-delete', {
    summary: 'Delete several subscription levels. Each level has its own result; a failure does not affect the others.',
    body: strict({
      ...appFields,
      levels: Type.Array(Level, { maxItems: 1000 }),
      forceDelete: Type.Optional(Type.Boolean()),
    }),
    reply: reply({
      deleted: Type.Integer(),
      failed: Type.Integer(),
      results: Type.Array(
        Type.Object({
          level: Type.Integer(),
          ok: Type.Boolean(),
          code: Type.String(),
          values: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
          undoId: UndoIdReply,
          message: Type.String({ description: "'Level {n}: {message}'" }),
        }),
      ),
    }),
    successes: { SUBSCRIPTIONS_DELETE_OK: '{deleted} deleted, {failed} failed' },
    errors: subscriptionsErrors,
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof subscriptionsContract> {}
  interface Codes extends CodesOf<typeof subscriptionsContract> {}
}
