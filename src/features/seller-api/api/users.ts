import { done } from '#contract/define-call.ts'
import { secondsOf } from '#features/entitlements/entitlements.actions.ts'
import { grantDays } from '#features/entitlements/entitlements.rules.ts'
import { machineOf, withMachine } from '#features/users/machines.ts'
import {
  addUser,
  banUser,
  checkNewUser,
  checkUserChange,
  deleteUser,
  getUser,
  lockUser,
} from '#features/users/users.actions.ts'
import {
  editUserUndoably,
  extendUserUndoably,
  grantUndoably,
  pauseUserUndoably,
  resetHwidUndoably,
  subtractUndoably,
} from '#features/users/user-changes.actions.ts'
import { describeUser, usersPage } from '#features/users/users.reply.ts'
import { endUserCost } from '#server/passwords/passwords.ts'
import { type Endpoint, endpoint } from '#server/http/endpoint.ts'
import { sellerUsersContract as contract } from '../seller-users.contract.ts'
import { usersByVariable } from '../users-by-variable.ts'

/** Calls that change a user return the updated user. */
export const userCalls: readonly Endpoint[] = [
  endpoint(contract.createUser, {
    prepare: ({ services, body }) => {
      checkNewUser(body)
      return services.passwords.hash(body.password, endUserCost)
    },
    write: async (tx, context, passwordHash) => {
      const { username, email } = context.body
      const user = await addUser(tx, context, { username, passwordHash, email })
      return { ...done(contract.createUser, 'USER_CREATE_OK'), user: await describeUser(tx.db, user, context.now) }
    },
  }),
  endpoint(contract.listUsers, {
    read: async (context) => {
      const { services, app, query, now } = context
      if (query.variable !== undefined || query.value !== undefined) return usersByVariable(context)
      const { page = 1, limit = 10, search, status, level } = query
      const filter = await withMachine(services, app, { search, status, level })
      const { isMore: _all, ...found } = await usersPage(services.db, { appId: app.id, filter, page, limit, now })
      return found
    },
  }),
  endpoint(contract.getUser, {
    read: async ({ services: { db }, app, params, now }) => {
      const user = await getUser(db.read, app.id, params.username)
      return { user: await describeUser(db.read, user, now) }
    },
  }),
  endpoint(contract.editUser, {
    prepare: async ({ services, app, body: { password, email, hwid } }) => {
      checkUserChange({ password, email })
      const passwordHash = password === undefined ? undefined : await services.passwords.hash(password, endUserCost)
      return { passwordHash, machine: hwid ? await machineOf(services, app, hwid) : undefined }
    },
    write: async (tx, context, prepared) => {
      const { params, body, now } = context
      const { email, hwid } = body
      const { user } = await editUserUndoably(tx, context, { username: params.username, email, hwid, ...prepared })
      return { ...done(contract.editUser, 'USER_UPDATE_OK'), user: await describeUser(tx.db, user, now) }
    },
  }),
  endpoint(contract.banUser, {
    write: async (tx, context) => {
      const { username } = context.params
      const user = await banUser(tx, context, { username, banned: true })
      return { ...done(contract.banUser, 'USER_BAN_OK'), user: await describeUser(tx.db, user, context.now) }
    },
  }),
  endpoint(contract.unbanUser, {
    write: async (tx, context) => {
      const { username } = context.params
      const user = await banUser(tx, context, { username, banned: false })
      return { ...done(contract.unbanUser, 'USER_UNBAN_OK'), user: await describeUser(tx.db, user, context.now) }
    },
  }),
  endpoint(contract.pauseUser, {
    write: async (tx, context) => {
      const found = await lockUser(tx, context.app.id, context.params.username)
      const { user } = await pauseUserUndoably(tx, context, found, true)
      return { ...done(contract.pauseUser, 'USER_PAUSE_OK'), user: await describeUser(tx.db, user, context.now) }
    },
  }),
  endpoint(contract.unpauseUser, {
    write: async (tx, context) => {
      const found = await lockUser(tx, context.app.id, context.params.username)
      const { user } = await pauseUserUndoably(tx, context, found, false)
      return { ...done(contract.unpauseUser, 'USER_UNPAUSE_OK'), user: await describeUser(tx.db, user, context.now) }
    },
  }),
  endpoint(contract.resetUserHwid, {
    write: async (tx, context) => {
      const { username } = context.params
      const { user } = await resetHwidUndoably(tx, context, username)
      return {
        ...done(contract.resetUserHwid, 'USER_HWID_RESET_OK'),
        user: await describeUser(tx.db, user, context.now),
      }
    },
  }),
  endpoint(contract.addUserSubscription, {
    write: async (tx, context) => {
      const { app, params, body, now } = context
      const user = await lockUser(tx, app.id, params.username)
      await grantUndoably(tx, context, user, { level: body.level, days: body.duration ?? grantDays.standard })
      return {
        ...done(contract.addUserSubscription, 'USER_SUBSCRIPTION_ADD_OK'),
        user: await describeUser(tx.db, user, now),
      }
    },
  }),
  endpoint(contract.extendUser, {
    write: async (tx, context) => {
      const { app, params, body, now } = context
      const seconds = secondsOf(body)
      const user = await lockUser(tx, app.id, params.username)
      await extendUserUndoably(tx, context, user, {
        level: body.subscription,
        seconds,
        withExpired: body.extendExpired === true,
      })
      return { ...done(contract.extendUser, 'USER_EXTEND_OK'), user: await describeUser(tx.db, user, now) }
    },
  }),
  endpoint(contract.subtractUser, {
    write: async (tx, context) => {
      const { app, params, body, now } = context
      const seconds = secondsOf(body)
      const user = await lockUser(tx, app.id, params.username)
      await subtractUndoably(tx, context, user, { level: body.subscription, seconds })
      return { ...done(contract.subtractUser, 'USER_SUBTRACT_OK'), user: await describeUser(tx.db, user, now) }
    },
  }),
  endpoint(contract.deleteUser, {
    write: async (tx, context) => {
      await deleteUser(tx, context, context.params.username)
      return done(contract.deleteUser, 'USER_DELETE_OK')
    },
  }),
]
