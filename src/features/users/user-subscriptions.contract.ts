import { Type } from 'typebox'
import { UndoIdReply } from '#contract/bulk.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall } from '#contract/define-call.ts'
import { maxEpochSeconds } from '#contract/epoch-seconds.ts'
import { appFields, beforeField, reply, strict } from '#contract/fields.ts'
import { Level, LevelField } from '#contract/level-field.ts'
import { entitlementEndErrors } from '#features/entitlements/entitlements.errors.ts'
import { namedUserErrors, userSubscriptionsErrors } from './users.errors.ts'
import { EntitlementReply, Username } from './users.contract.ts'

/** Subscriptions of one user. */

const Days = Type.Integer({ minimum: 1, maximum: 3650, rejection: 'GRANT_DAYS_RANGE' })
const Expiry = Type.Union([Type.Integer({ minimum: 0, maximum: maxEpochSeconds }), Type.Null()])
const TimeLeft = Type.Union([Type.Integer({ minimum: 0, maximum: maxEpochSeconds }), Type.Null()])
const userParams = Type.Object({ username: Username })
const entitlementParams = Type.Object({ username: Username, id: Level })
const AvailableSubscription = Type.Object({ level: Type.Integer(), name: Type.String(), active: Type.Boolean() })

export const userSubscriptionsContract = {
  listUserSubscriptions: appCall('GET /user/{username}/subscriptions', {
    summary: 'List the subscriptions of a user and the levels that can be added.',
    params: userParams,
    query: strict({ ...appFields }),
    reply: reply({
      subscriptions: Type.Array(EntitlementReply),
      availableSubscriptions: Type.Array(AvailableSubscription),
    }),
    errors: namedUserErrors,
  }),
  addUserSubscription: appCall('POST /user/{username}/subscriptions', {
    idempotent: true,
    summary:
      'Add a subscription to a user for 1 to 3650 days (default: 30). An expired subscription starts again. POST /users/undo reverts it.',
    params: userParams,
    body: strict({ ...appFields, level: LevelField, duration: Type.Optional(Days) }),
    reply: reply({ subscription: EntitlementReply, undoId: UndoIdReply }),
    successes: { USER_SUBSCRIPTION_ADD_OK: 'Subscription added successfully' },
    errors: userSubscriptionsErrors,
  }),
  updateUserSubscription: appCall('PUT /user/{username}/subscriptions/{id}', {
    summary:
      'Change when a subscription ends: `duration` days from now, or at `expiry` (0 or null for never), not both. With `active` false, it ends immediately. `before` holds the `expiry` that you last saw, or the `time_left` of a paused user, whose `expiry` moves; with both, the new `expiry` of a paused user counts from the one in `before`. POST /users/undo reverts the change.',
    params: entitlementParams,
    body: strict({
      ...appFields,
      duration: Type.Optional(Days),
      expiry: Type.Optional(Expiry),
      active: Type.Optional(Type.Boolean()),
      ...beforeField({ expiry: Expiry, time_left: TimeLeft }),
    }),
    reply: reply({ subscription: EntitlementReply, undoId: UndoIdReply }),
    successes: { USER_SUBSCRIPTION_UPDATE_OK: 'Subscription updated successfully' },
    errors: { ...userSubscriptionsErrors, ...entitlementEndErrors },
  }),
  removeUserSubscription: appCall('DELETE /user/{username}/subscriptions/{id}', {
    summary: 'Remove a subscription from a user immediately. POST /users/undo restores it.',
    params: entitlementParams,
    query: strict({ ...appFields }),
    reply: reply({ undoId: UndoIdReply }),
    successes: { USER_SUBSCRIPTION_REMOVE_OK: 'Subscription removed successfully' },
    errors: userSubscriptionsErrors,
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof userSubscriptionsContract> {}
  interface Codes extends CodesOf<typeof userSubscriptionsContract> {}
}
