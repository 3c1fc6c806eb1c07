import { Type } from 'typebox'
import { pageQuery, reply, strict } from '#contract/fields.ts'
import { timeOutcomeTexts } from '#features/entitlements/entitlements.rules.ts'
import { Duration, levelFields, TimeUnitField, userFilter, Username } from '#features/users/user-fields.contract.ts'
import { userSubscriptionsContract } from '#features/users/user-subscriptions.contract.ts'
import { UserReply, usersContract } from '#features/users/users.contract.ts'
import { fieldsOf, sellerCall } from './seller-call.contract.ts'

/** Users through a seller key: the website's fields, the website's rules. */

const { listUsers, createUser, editUser } = usersContract
const { addUserSubscription } = userSubscriptionsContract

const params = Type.Object({ username: Username })
const refusals = {
  ...createUser.refusals,
  ...addUserSubscription.refusals,
  SUBSCRIPTION_EXPIRED: { status: 409, message: timeOutcomeTexts.expired },
  SUBSCRIPTION_NEVER_ENDS: { status: 409, message: timeOutcomeTexts.lifetime },
} as const

export const sellerUsersRefusals = refusals

/** An act on one user that answers how the user is afterwards. */
const act = <const P extends string>(name: P, summary: string) =>
  sellerCall({
    method: 'POST',
    path: `/users/{username}/${name}`,
    scope: 'users:write',
    summary,
    params,
    body: strict({}),
    reply: reply({ user: UserReply }),
    refusals,
  })

export const sellerUsersContract = {
  createUser: sellerCall({
    method: 'POST',
    path: '/users',
    scope: 'users:write',
    idempotent: true,
    summary: 'Make a user who signs in with a name and a password. Subscriptions are given afterwards.',
    body: fieldsOf(createUser.body, ['appName', 'appId']),
    reply: reply({ user: UserReply }),
    refusals,
  }),
  listUsers: sellerCall({
    method: 'GET',
    path: '/users',
    scope: 'users:read',
    summary: 'A page of users, newest first. `search` looks inside names, email and IP addresses.',
    query: strict({ ...pageQuery, ...userFilter }),
    reply: listUsers.reply,
  }),
  getUser: sellerCall({
    method: 'GET',
    path: '/users/{username}',
    scope: 'users:read',
    summary: 'One user with subscriptions and variables.',
    params,
    reply: reply({ user: UserReply }),
    refusals,
  }),
  editUser: sellerCall({
    method: 'PUT',
    path: '/users/{username}',
    scope: 'users:write',
    summary: 'Change the email or password; an empty `hwid` unbinds the machine. Fields left out stay.',
    params,
    body: fieldsOf(editUser.body, ['appName', 'appId', 'username']),
    reply: reply({ user: UserReply }),
    refusals,
  }),
  banUser: act('ban', 'Ban a user; the live sessions end at once.'),
  unbanUser: act('unban', 'Lift the ban of a user.'),
  pauseUser: act('pause', 'Pause a user: the program is refused and the time left is kept.'),
  unpauseUser: act('unpause', 'End the pause of a user.'),
  resetUserHwid: act('reset-hwid', 'Unbind the machine: the next one that signs in is bound.'),
  addUserSubscription: sellerCall({
    method: 'POST',
    path: '/users/{username}/subscriptions',
    scope: 'users:write',
    idempotent: true,
    summary: 'Give a user a level for 1 to 3650 days, 30 by default. An ended one starts again.',
    params,
    body: fieldsOf(addUserSubscription.body, ['appName', 'appId']),
    reply: reply({ user: UserReply }),
    refusals,
  }),
  extendUser: sellerCall({
    method: 'POST',
    path: '/users/{username}/extend',
    scope: 'users:write',
    idempotent: true,
    summary: 'Add time to a subscription of a user. An ended one only with `extendExpired`, from now.',
    params,
    body: strict({
      ...levelFields,
      duration: Duration,
      unit: TimeUnitField,
      extendExpired: Type.Optional(Type.Boolean()),
    }),
    reply: reply({ user: UserReply }),
    refusals,
  }),
  subtractUser: sellerCall({
    method: 'POST',
    path: '/users/{username}/subtract',
    scope: 'users:write',
    idempotent: true,
    summary: 'Take time from a user, of one subscription or of all. It ends now at the earliest.',
    params,
    body: strict({ ...levelFields, duration: Duration, unit: TimeUnitField }),
    reply: reply({ user: UserReply }),
    refusals,
  }),
  deleteUser: sellerCall({
    method: 'DELETE',
    path: '/users/{username}',
    scope: 'users:delete',
    summary: 'Delete a user with all subscriptions and variables; the sessions end.',
    params,
    reply: reply({}),
    refusals,
  }),
}
