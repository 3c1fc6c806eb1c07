import { Type } from 'typebox'
import { pageQuery, reply, strict } from '#contract/fields.ts'
import { LevelField } from '#contract/level-field.ts'
import { userSubscriptionsContract } from '#features/users/user-subscriptions.contract.ts'
import { timeFields } from '#features/users/users-bulk.contract.ts'
import { userFilter, Username, UserReply, usersContract } from '#features/users/users.contract.ts'
import { namedUserErrors, userFormErrors, userSubscriptionsErrors } from '#features/users/users.errors.ts'
import { fieldsOf, sellerCall } from './seller-call.contract.ts'

/** Users through a seller key: the website's fields, the website's rules. */

const { listUsers, createUser, editUser, toggleBanUser, togglePauseUser, resetUserHwid, deleteUser } = usersContract
const { addUserSubscription } = userSubscriptionsContract

const params = Type.Object({ username: Username })
const userReply = reply({ user: UserReply })

/** An act on one user that answers how the user is afterwards. */
const act = <const P extends string, const S extends Record<string, string>>(name: P, summary: string, successes: S) =>
  sellerCall({
    method: 'POST',
    path: `/users/{username}/${name}`,
    scope: 'users:write',
    summary,
    params,
    body: strict({}),
    reply: userReply,
    successes,
    errors: namedUserErrors,
  })

export const sellerUsersContract = {
  createUser: sellerCall({
    method: 'POST',
    path: '/users',
    scope: 'users:write',
    idempotent: true,
    summary: 'Make a user who signs in with a name and a password. Subscriptions are given afterwards.',
    body: fieldsOf(createUser.body, ['appName', 'appId']),
    reply: userReply,
    successes: createUser.successes,
    errors: userFormErrors,
  }),
  listUsers: sellerCall({
    method: 'GET',
    path: '/users',
    scope: 'users:read',
    summary: 'A page of users, newest first. `search` looks inside names, email and IP addresses, or is a whole HWID.',
    query: strict({ ...pageQuery, ...userFilter }),
    reply: listUsers.reply,
  }),
  getUser: sellerCall({
    method: 'GET',
    path: '/users/{username}',
    scope: 'users:read',
    summary: 'One user with subscriptions and variables.',
    params,
    reply: userReply,
    errors: namedUserErrors,
  }),
  editUser: sellerCall({
    method: 'PUT',
    path: '/users/{username}',
    scope: 'users:write',
    summary:
      'Change the email, the password or the machine: `hwid` as a program sends it, empty to unbind. Fields left out stay.',
    params,
    body: fieldsOf(editUser.body, ['appName', 'appId', 'username', 'before']),
    reply: userReply,
    successes: editUser.successes,
    errors: userFormErrors,
  }),
  banUser: act('ban', 'Ban a user; the live sessions end at once.', toggleBanUser.successes),
  unbanUser: act('unban', 'Lift the ban of a user.', toggleBanUser.successes),
  pauseUser: act('pause', 'Pause a user: the program is refused and the time left is kept.', togglePauseUser.successes),
  unpauseUser: act('unpause', 'End the pause of a user.', togglePauseUser.successes),
  resetUserHwid: act('reset-hwid', 'Unbind the machine: the next one that signs in is bound.', resetUserHwid.successes),
  addUserSubscription: sellerCall({
    method: 'POST',
    path: '/users/{username}/subscriptions',
    scope: 'users:write',
    idempotent: true,
    summary: 'Give a user a level for 1 to 3650 days, 30 by default. An ended one starts again.',
    params,
    body: fieldsOf(addUserSubscription.body, ['appName', 'appId']),
    reply: userReply,
    successes: addUserSubscription.successes,
    errors: userSubscriptionsErrors,
  }),
  extendUser: sellerCall({
    method: 'POST',
    path: '/users/{username}/extend',
    scope: 'users:write',
    idempotent: true,
    summary: 'Add time to a subscription of a user. An ended one only with `extendExpired`, from now.',
    params,
    body: strict({ subscription: LevelField, ...timeFields, extendExpired: Type.Optional(Type.Boolean()) }),
    reply: userReply,
    successes: { USER_EXTEND_OK: 'User extended successfully' },
    errors: userSubscriptionsErrors,
  }),
  subtractUser: sellerCall({
    method: 'POST',
    path: '/users/{username}/subtract',
    scope: 'users:write',
    idempotent: true,
    summary: 'Take time from a user, of one subscription or of all. It ends now at the earliest.',
    params,
    body: strict({ subscription: Type.Optional(LevelField), ...timeFields }),
    reply: userReply,
    successes: { USER_SUBTRACT_OK: 'Time subtracted successfully' },
    errors: userSubscriptionsErrors,
  }),
  deleteUser: sellerCall({
    method: 'DELETE',
    path: '/users/{username}',
    scope: 'users:delete',
    summary: 'Delete a user with all subscriptions and variables; the sessions end.',
    params,
    reply: reply({}),
    successes: deleteUser.successes,
    errors: namedUserErrors,
  }),
}
