import { Type } from 'typebox'
import type { ReplacedCall } from '#contract/define-call.ts'
import { pageQuery, reply, strict } from '#contract/fields.ts'
import { LevelField } from '#contract/level-field.ts'
import { userSubscriptionsContract } from '#features/users/user-subscriptions.contract.ts'
import { timeFields, usersBulkContract } from '#features/users/users-bulk.contract.ts'
import { singleUserFilter, Username, UserReply, usersContract } from '#features/users/users.contract.ts'
import { namedUserErrors, userFormErrors, userSubscriptionsErrors } from '#features/users/users.errors.ts'
import { allCounted, fieldsOf, insteadOf, sellerCall } from './seller-call.contract.ts'

/** User calls with a seller key: the same fields and rules as in the dashboard. */

const { listUsers, createUser, editUser, toggleBanUser, togglePauseUser, resetUserHwid, deleteUser } = usersContract
const { addUserSubscription } = userSubscriptionsContract
const { bulkUsers } = usersBulkContract
const names = { username: 'usernames' }

const params = Type.Object({ username: Username })
const variableFilter = {
  variable: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Name of a variable of users' })),
  value: Type.Optional(Type.String({ minLength: 1, maxLength: 50_000, description: 'Complete value of `variable`' })),
}
const userReply = reply({ user: UserReply })

/** An action on one user; the reply holds the updated user. */
const userAction = <const P extends string, const S extends Record<string, string>>(
  name: P,
  summary: string,
  successes: S,
  single: ReplacedCall,
) =>
  sellerCall(`POST /users/{username}/${name}`, {
    scope: 'users:write',
    summary,
    params,
    body: strict({}),
    reply: userReply,
    successes,
    errors: namedUserErrors,
    replaces: [single, insteadOf(bulkUsers, names, { action: name })],
  })

export const sellerUsersContract = {
  createUser: sellerCall('POST /users', {
    scope: 'users:write',
    idempotent: true,
    summary: 'Create a user who signs in with a username and a password. Add subscriptions afterwards.',
    body: fieldsOf(createUser.body, ['appName', 'appId']),
    reply: userReply,
    successes: createUser.successes,
    errors: userFormErrors,
    replaces: [insteadOf(createUser)],
  }),
  listUsers: sellerCall('GET /users', {
    scope: 'users:read',
    summary:
      'List users, one page at a time, newest first. `search` matches part of the username, email address or IP address, or a complete hardware ID. `variable` and `value`, which need `variables:read` too, find the users whose variable has exactly this value, instead of the other filters. Without `variables:read`, the variables of a user are empty in every reply.',
    query: strict({ ...pageQuery, ...singleUserFilter, ...variableFilter }),
    reply: allCounted(listUsers.reply),
  }),
  getUser: sellerCall('GET /users/{username}', {
    scope: 'users:read',
    summary: 'Get a user with subscriptions and, if the key has `variables:read`, variables.',
    params,
    reply: userReply,
    errors: namedUserErrors,
  }),
  editUser: sellerCall('PUT /users/{username}', {
    scope: 'users:write',
    summary:
      'Update the email address, password or hardware ID of a user. Send `hwid` as the program does, or empty to unbind the machine. Omitted fields keep their value.',
    params,
    body: fieldsOf(editUser.body, ['appName', 'appId', 'username', 'before']),
    reply: userReply,
    successes: editUser.successes,
    errors: userFormErrors,
    replaces: [insteadOf(editUser)],
  }),
  banUser: userAction(
    'ban',
    'Ban a user. Live sessions end immediately.',
    toggleBanUser.successes,
    insteadOf(toggleBanUser, {}, { banned: true }),
  ),
  unbanUser: userAction(
    'unban',
    'Unban a user.',
    toggleBanUser.successes,
    insteadOf(toggleBanUser, {}, { banned: false }),
  ),
  pauseUser: userAction(
    'pause',
    'Pause a user. Programs of the user are rejected and the remaining time is kept.',
    togglePauseUser.successes,
    insteadOf(togglePauseUser, {}, { paused: true }),
  ),
  unpauseUser: userAction(
    'unpause',
    'Unpause a user.',
    togglePauseUser.successes,
    insteadOf(togglePauseUser, {}, { paused: false }),
  ),
  resetUserHwid: userAction(
    'reset-hwid',
    'Unbind the machine of a user. The next machine that signs in is bound to the user.',
    resetUserHwid.successes,
    insteadOf(resetUserHwid),
  ),
  addUserSubscription: sellerCall('POST /users/{username}/subscriptions', {
    scope: 'users:write',
    idempotent: true,
    summary: 'Add a subscription to a user for 1 to 3650 days (default: 30). An expired subscription starts again.',
    params,
    body: fieldsOf(addUserSubscription.body, ['appName', 'appId']),
    reply: userReply,
    successes: addUserSubscription.successes,
    errors: userSubscriptionsErrors,
    replaces: [insteadOf(addUserSubscription)],
  }),
  extendUser: sellerCall('POST /users/{username}/extend', {
    scope: 'users:write',
    idempotent: true,
    summary:
      'Add time to a subscription of a user. An expired subscription is extended only with `extendExpired`, starting now.',
    params,
    body: strict({ subscription: LevelField, ...timeFields, extendExpired: Type.Optional(Type.Boolean()) }),
    reply: userReply,
    successes: { USER_EXTEND_OK: 'User extended successfully' },
    errors: userSubscriptionsErrors,
    replaces: [insteadOf(bulkUsers, names, { action: 'extend' })],
  }),
  subtractUser: sellerCall('POST /users/{username}/subtract', {
    scope: 'users:write',
    idempotent: true,
    summary: 'Subtract time from one or all subscriptions of a user. A subscription never ends earlier than now.',
    params,
    body: strict({ subscription: Type.Optional(LevelField), ...timeFields }),
    reply: userReply,
    successes: { USER_SUBTRACT_OK: 'Time subtracted successfully' },
    errors: userSubscriptionsErrors,
    replaces: [insteadOf(bulkUsers, names, { action: 'subtract' })],
  }),
  deleteUser: sellerCall('DELETE /users/{username}', {
    scope: 'users:delete',
    summary: "Delete a user with all subscriptions and variables. The user's sessions end.",
    params,
    reply: reply({}),
    successes: deleteUser.successes,
    errors: namedUserErrors,
    replaces: [insteadOf(deleteUser), insteadOf(bulkUsers, names, { action: 'delete' })],
  }),
}
