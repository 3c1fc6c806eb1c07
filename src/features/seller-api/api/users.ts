import { secondsOf } from '#features/entitlements/entitlements.actions.ts'
import { grantDays } from '#features/entitlements/entitlements.rules.ts'
import { machineOf, withMachine } from '#features/users/machines.ts'
import { hashForNewUser, hashForUser } from '#features/users/user-passwords.actions.ts'
import { banUser } from '#features/users/user-access.actions.ts'
import { addUser, checkUserChange, deleteUser, getUser, lockUser } from '#features/users/users.actions.ts'
import {
  editUserUndoably,
  extendUserUndoably,
  grantUndoably,
  pauseUserUndoably,
  resetHwidUndoably,
  subtractUndoably,
} from '#features/users/user-changes.actions.ts'
import { usersPage } from '#features/users/users.reply.ts'
import { type Endpoint, endpoint } from '#server/http/endpoint.ts'
import { requireScope } from '../required-scope.ts'
import { sellerUsersContract as contract } from '../seller-users.contract.ts'
import { sellerUserReply, withReadableVariables } from '../seller-users.reply.ts'
import { usersByVariable } from '../users-by-variable.ts'

/** Calls that change a user return the updated user. */
export const userCalls: readonly Endpoint[] = [
  endpoint(contract.createUser, {
    prepare: (context) => hashForNewUser(context, context.body),
    write: async (tx, context, hashed) => {
      const { username, email } = context.body
      const user = await addUser(tx, context, { username, passwordHash: hashed(), email })
      return { code: 'USER_CREATE_OK', user: await sellerUserReply(context, tx.db, user) }
    },
  }),
  endpoint(contract.listUsers, {
    read: async (context) => {
      const { services, actor, app, query, now } = context
      if (query.variable !== undefined || query.value !== undefined) {
        requireScope(actor, 'variables:read')
        return usersByVariable(context)
      }
      const { page = 1, limit = 10, search, status, level } = query
      const filter = await withMachine(services, app, { search, status, level })
      const { isMore: _all, ...found } = await usersPage(services.db, { appId: app.id, filter, page, limit, now })
      return { ...found, users: withReadableVariables(actor, found.users) }
    },
  }),
  endpoint(contract.getUser, {
    read: async (context) => {
      const { read } = context.services.db
      const user = await getUser(read, context.app.id, context.params.username)
      return { user: await sellerUserReply(context, read, user) }
    },
  }),
  endpoint(contract.editUser, {
    prepare: async ({ services, app, params: { username }, body: { password, email, hwid } }) => {
      checkUserChange({ password, email })
      const hashed = password === undefined ? undefined : await hashForUser({ services, app }, { username, password })
      return { hashed, machine: hwid ? await machineOf(services, app, hwid) : undefined }
    },
    write: async (tx, context, { hashed, machine }) => {
      const { params, body } = context
      const { email, hwid } = body
      const change = { username: params.username, email, hwid, machine, passwordHash: hashed?.() }
      const { user } = await editUserUndoably(tx, context, change)
      return { code: 'USER_UPDATE_OK', user: await sellerUserReply(context, tx.db, user) }
    },
  }),
  endpoint(contract.banUser, {
    write: async (tx, context) => {
      const { username } = context.params
      const user = await banUser(tx, context, { username, banned: true })
      return { code: 'USER_BAN_OK', user: await sellerUserReply(context, tx.db, user) }
    },
  }),
  endpoint(contract.unbanUser, {
    write: async (tx, context) => {
      const { username } = context.params
      const user = await banUser(tx, context, { username, banned: false })
      return { code: 'USER_UNBAN_OK', user: await sellerUserReply(context, tx.db, user) }
    },
  }),
  endpoint(contract.pauseUser, {
    write: async (tx, context) => {
      const found = await lockUser(tx, context.app.id, context.params.username)
      const { user } = await pauseUserUndoably(tx, context, found, true)
      return { code: 'USER_PAUSE_OK', user: await sellerUserReply(context, tx.db, user) }
    },
  }),
  endpoint(contract.unpauseUser, {
    write: async (tx, context) => {
      const found = await lockUser(tx, context.app.id, context.params.username)
      const { user } = await pauseUserUndoably(tx, context, found, false)
      return { code: 'USER_UNPAUSE_OK', user: await sellerUserReply(context, tx.db, user) }
    },
  }),
  endpoint(contract.resetUserHwid, {
    write: async (tx, context) => {
      const { username } = context.params
      const { user } = await resetHwidUndoably(tx, context, username)
      return { code: 'USER_HWID_RESET_OK', user: await sellerUserReply(context, tx.db, user) }
    },
  }),
  endpoint(contract.addUserSubscription, {
    write: async (tx, context) => {
      const { app, params, body } = context
      const user = await lockUser(tx, app.id, params.username)
      await grantUndoably(tx, context, user, { level: body.level, days: body.duration ?? grantDays.standard })
      return { code: 'USER_SUBSCRIPTION_ADD_OK', user: await sellerUserReply(context, tx.db, user) }
    },
  }),
  endpoint(contract.extendUser, {
    write: async (tx, context) => {
      const { app, params, body } = context
      const seconds = secondsOf(body)
      const user = await lockUser(tx, app.id, params.username)
      await extendUserUndoably(tx, context, user, {
        level: body.subscription,
        seconds,
        withExpired: body.extendExpired === true,
      })
      return { code: 'USER_EXTEND_OK', user: await sellerUserReply(context, tx.db, user) }
    },
  }),
  endpoint(contract.subtractUser, {
    write: async (tx, context) => {
      const { app, params, body } = context
      const seconds = secondsOf(body)
      const user = await lockUser(tx, app.id, params.username)
      await subtractUndoably(tx, context, user, { level: body.subscription, seconds })
      return { code: 'USER_SUBTRACT_OK', user: await sellerUserReply(context, tx.db, user) }
    },
  }),
  endpoint(contract.deleteUser, {
    write: async (tx, context) => {
      await deleteUser(tx, context, context.params.username)
      return { code: 'USER_DELETE_OK' }
    },
  }),
]
