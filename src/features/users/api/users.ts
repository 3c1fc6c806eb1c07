import { maxCounted } from '#contract/fields.ts'
import { countUsersByLevel } from '#features/entitlements/entitlements.reads.ts'
import { newDeletion } from '#server/bin/bin-items.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { machineOf, withMachine } from '../machines.ts'
import { editUserUndoably, pauseUserUndoably, resetHwidUndoably } from '../user-changes.actions.ts'
import { hashForNewUser, hashForUser } from '../user-passwords.actions.ts'
import { banUser } from '../user-access.actions.ts'
import { addUser, checkUserChange, deleteUser, getUser, lockUser } from '../users.actions.ts'
import { usersContract as contract } from '../users.contract.ts'
import { describeUser, usersPage } from '../users.reply.ts'

export const userCalls: readonly Endpoint[] = [
  endpoint(contract.listUsers, {
    read: async ({ services, app, query, now }) => {
      const { page = 1, limit = 10, count, sort, appName: _name, appId: _id, ...given } = query
      const filter = await withMachine(services, app, given)
      return usersPage(services.db, {
        appId: app.id,
        filter,
        now,
        page,
        limit,
        countUpTo: count ? undefined : maxCounted,
        sort,
      })
    },
  }),
  endpoint(contract.readUser, {
    read: async ({ services: { db }, app, params, now }) => {
      const user = await getUser(db.read, app.id, params.username)
      return { user: await describeUser(db.read, user, now) }
    },
  }),
  endpoint(contract.readUserFacets, {
    read: async ({ services: { db }, app }) => ({ levels: await countUsersByLevel(db.reports, app.id, maxCounted) }),
  }),
  endpoint(contract.createUser, {
    prepare: (context) => hashForNewUser(context, context.body),
    write: async (tx, context, hashed) => {
      const { username, email } = context.body
      const user = await addUser(tx, context, { username, passwordHash: hashed(), email })
      return { code: 'USER_CREATE_OK', user: await describeUser(tx.db, user, context.now) }
    },
  }),
  endpoint(contract.editUser, {
    prepare: async ({ services, app, body: { username, password, email, hwid } }) => {
      // An empty password keeps the current one.
      checkUserChange({ password: password || undefined, email })
      const hashed = password ? await hashForUser({ services, app }, { username, password }) : undefined
      return { hashed, machine: hwid ? await machineOf(services, app, hwid) : undefined }
    },
    write: async (tx, context, { hashed, machine }) => {
      const { username, email, hwid, before } = context.body
      const change = { username, email, hwid, before, machine, passwordHash: hashed?.() }
      const { user, undoId } = await editUserUndoably(tx, context, change)
      return { code: 'USER_UPDATE_OK', user: await describeUser(tx.db, user, context.now), undoId }
    },
  }),
  endpoint(contract.resetUserHwid, {
    write: async (tx, context) => {
      const { undoId } = await resetHwidUndoably(tx, context, context.body.username)
      return { code: 'USER_HWID_RESET_OK', undoId }
    },
  }),
  endpoint(contract.toggleBanUser, {
    write: async (tx, context) => {
      const { username, banned } = context.body
      const user = await banUser(tx, context, { username, banned })
      const isBanned = user.banned === 1
      return { code: isBanned ? 'USER_BAN_OK' : 'USER_UNBAN_OK', banned: isBanned }
    },
  }),
  endpoint(contract.togglePauseUser, {
    write: async (tx, context) => {
      const { username, paused } = context.body
      const found = await lockUser(tx, context.app.id, username)
      const { user, undoId } = await pauseUserUndoably(tx, context, found, paused)
      const isPaused = user.paused === 1
      return { code: isPaused ? 'USER_PAUSE_OK' : 'USER_UNPAUSE_OK', paused: isPaused, undoId }
    },
  }),
  endpoint(contract.deleteUser, {
    write: async (tx, context) => {
      const undoId = newDeletion()
      await deleteUser(tx, context, context.body.username, undoId)
      return { code: 'USER_DELETE_OK', undoId }
    },
  }),
]
