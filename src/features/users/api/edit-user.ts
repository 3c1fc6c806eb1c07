import { endpoint } from '#server/http/endpoint.ts'
import { machineOf } from '../machines.ts'
import { hashForUser } from '../user-passwords.actions.ts'
import { checkUserChange } from '../users.actions.ts'
import { editUserUndoably } from '../user-changes.actions.ts'
import { usersContract } from '../users.contract.ts'
import { describeUser } from '../users.reply.ts'

export const editUser = endpoint(usersContract.editUser, {
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
})
