import { Type } from 'typebox'
import { maxBulkNames, maxNamesKiB, UndoIdReply } from '#contract/bulk.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall } from '#contract/define-call.ts'
import {
  appFields,
  beforeField,
  countedFields,
  countQuery,
  EpochSeconds,
  pageQuery,
  reply,
  strict,
  Text,
  oneOf,
} from '#contract/fields.ts'
import { Level, LevelCounts } from '#contract/level-field.ts'
import { LevelListField, listField } from '#contract/list-field.ts'
import { sortField } from '#contract/sort-field.ts'
import { namedUserErrors, userFormErrors } from './users.errors.ts'
import { userExportColumns, userSorts } from './user-list.rules.ts'

/** End users of an app, one at a time. */

export const Username = Type.String({ minLength: 1, maxLength: 200, rejection: 'USERNAME_REQUIRED' })

const statuses = ['banned', 'paused', 'active', 'expired', 'any'] as const

const exportFields = {
  format: Type.Optional(
    Type.Union([Type.Literal('csv'), Type.Literal('txt'), Type.Literal('json')], { default: 'csv' }),
  ),
  columns: Type.Optional(listField(userExportColumns)),
}

/** The filter of a list, an export or a bulk action. */
export const userFilter = {
  search: Type.Optional(Type.String({ maxLength: 200 })),
  status: Type.Optional(listField(statuses)),
  level: Type.Optional(LevelListField),
  createdFrom: Type.Optional({ ...EpochSeconds, description: 'Created in this second or later' }),
  createdUntil: Type.Optional({ ...EpochSeconds, description: 'Created in this second or earlier' }),
  lastLoginFrom: Type.Optional({ ...EpochSeconds, description: 'Last sign-in in this second or later' }),
  lastLoginUntil: Type.Optional({ ...EpochSeconds, description: 'Last sign-in in this second or earlier' }),
}

/** The same for the seller API, whose generated clients know each value: one status and one level. */
export const singleUserFilter = {
  search: userFilter.search,
  status: Type.Optional(oneOf(statuses)),
  level: Type.Optional(Level),
}

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const EntitlementReply = Type.Object({
  level: Type.Integer(),
  name: Type.String(),
  active: Type.Boolean(),
  expiry: Nullable(EpochSeconds),
  time_left: Nullable(
    Type.Integer({
      description:
        'Remaining time in seconds; null for a subscription that never ends. Does not count down while the user is paused',
    }),
  ),
})

export const UserReply = Type.Object({
  username: Type.String(),
  email: Type.String(),
  hwid: Type.String({ description: 'Fingerprint of the hardware ID; the hardware ID itself is never stored' }),
  ip: Type.String(),
  creationDate: EpochSeconds,
  lastLoginDate: Nullable(EpochSeconds),
  banned: Type.Boolean(),
  paused: Type.Boolean(),
  hasActiveSubscription: Type.Boolean(),
  subscriptions: Type.Record(Type.String(), EntitlementReply),
  variables: Type.Record(Type.String(), Type.String()),
})

const Counts = Type.Object({
  total: Type.Integer(),
  banned: Type.Integer(),
  paused: Type.Integer(),
  active: Nullable(Type.Integer({ description: 'Null if more than 10,000 are active and more than 10,000 expired' })),
  expired: Nullable(Type.Integer({ description: 'Null like `active`' })),
})

export const usersContract = {
  listUsers: appCall('GET /users', {
    summary:
      'List users, one page at a time, newest first unless `sort` names another order. By `timeLeft`, paused users, whose time does not run, are after all others. `search` matches part of the username, email address or IP address, or a complete hardware ID.',
    query: strict({ ...appFields, ...pageQuery, ...userFilter, ...countQuery, sort: sortField(userSorts) }),
    reply: reply({
      users: Type.Array(UserReply),
      ...countedFields,
      counts: Counts,
    }),
  }),
  readUserFacets: appCall('GET /user_facets', {
    summary: 'Get the number of users who have each subscription level, expired or not.',
    query: strict(appFields),
    reply: reply({ levels: LevelCounts }),
  }),
  readUser: appCall('GET /user/{username}', {
    summary: 'Get one user by the exact name.',
    params: strict({ username: Username }),
    query: strict(appFields),
    reply: reply({ user: UserReply }),
    errors: namedUserErrors,
  }),
  createUser: appCall('POST /create_user', {
    idempotent: true,
    summary: 'Create a user who signs in with a username and a password. Add subscriptions afterwards.',
    body: strict({
      ...appFields,
      username: Type.String({ maxLength: 500, rejection: 'USERNAME_REQUIRED' }),
      password: Type.String({ maxLength: 1000, rejection: 'PASSWORD_REQUIRED' }),
      email: Type.Optional(Text(500)),
    }),
    reply: reply({ user: UserReply }),
    successes: { USER_CREATE_OK: 'User created successfully' },
    errors: userFormErrors,
  }),
  editUser: appCall('POST /edit_user', {
    summary:
      'Update the email address, password or hardware ID of a user. Send `hwid` as the program does, or empty to unbind the machine. Omitted fields keep their value. POST /users/undo reverts the edit, unless it has a password.',
    body: strict({
      ...appFields,
      username: Username,
      email: Type.Optional(Text(500)),
      password: Type.Optional(Type.String({ maxLength: 1000 })),
      hwid: Type.Optional(Text(1024)),
      ...beforeField({ email: Text(500), hwid: Text(200) }),
    }),
    reply: reply({ user: UserReply, undoId: UndoIdReply }),
    successes: { USER_UPDATE_OK: 'User updated successfully' },
    errors: userFormErrors,
  }),
  deleteUser: appCall('POST /delete_user', {
    summary:
      "Delete a user with all subscriptions and variables. The user's sessions end. POST /bin/restore restores the user within 30 days.",
    body: strict({ ...appFields, username: Username }),
    reply: reply({ undoId: UndoIdReply }),
    successes: { USER_DELETE_OK: 'User deleted successfully' },
    errors: namedUserErrors,
  }),
  resetUserHwid: appCall('POST /reset_user_hwid', {
    summary: 'Unbind the machine of a user. The next machine that signs in is bound. POST /users/undo binds it again.',
    body: strict({ ...appFields, username: Username }),
    reply: reply({ undoId: UndoIdReply }),
    successes: { USER_HWID_RESET_OK: 'HWID reset successfully' },
    errors: namedUserErrors,
  }),
  toggleBanUser: appCall('POST /toggle_ban_user', {
    summary:
      'Ban or unban a user. `banned` sets the state; without it, the state is toggled. A ban ends the live sessions of the user immediately.',
    body: strict({ ...appFields, username: Username, banned: Type.Optional(Type.Boolean()) }),
    reply: reply({ banned: Type.Boolean() }),
    successes: { USER_BAN_OK: 'User banned successfully', USER_UNBAN_OK: 'User unbanned successfully' },
    errors: namedUserErrors,
  }),
  togglePauseUser: appCall('POST /toggle_pause_user', {
    summary:
      'Pause or unpause a user. `paused` sets the state; without it, the state is toggled. A pause keeps the remaining time. POST /users/undo reverts a pause.',
    body: strict({ ...appFields, username: Username, paused: Type.Optional(Type.Boolean()) }),
    reply: reply({ paused: Type.Boolean(), undoId: UndoIdReply }),
    successes: { USER_PAUSE_OK: 'User paused successfully', USER_UNPAUSE_OK: 'User unpaused successfully' },
    errors: namedUserErrors,
  }),
  exportUsers: appCall('GET /export_users', {
    summary:
      'Export all matching users as `csv`, `json` or `txt` (one username per line). `columns` chooses what `csv` and `json` have of each user; the default is everything. With `download`, the response is the file itself.',
    query: strict({
      ...appFields,
      ...userFilter,
      ...exportFields,
      download: Type.Optional(Type.Boolean()),
    }),
    reply: reply({ content: Type.String(), format: Type.String(), filename: Type.String() }),
  }),
  exportSelectedUsers: appCall('POST /export_users', {
    maxBodyKiB: maxNamesKiB,
    summary:
      'Export the given users, oldest first, in the formats and columns of `GET /export_users`. Names that do not exist are left out.',
    body: strict({
      ...appFields,
      usernames: Type.Array(Text(200, 1), { minItems: 1, maxItems: maxBulkNames }),
      ...exportFields,
    }),
    reply: reply({ content: Type.String(), format: Type.String(), filename: Type.String() }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof usersContract> {}
  interface Codes extends CodesOf<typeof usersContract> {}
}
