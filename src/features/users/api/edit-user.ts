import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { endUserCost } from '#server/passwords/passwords.ts'
import { machineOf } from '../machines.ts'
import { checkUserChange } from '../users.actions.ts'
import { editUserUndoably } from '../user-changes.actions.ts'
import { usersContract } from '../users.contract.ts'
import { describeUser } from '../users.reply.ts'

const call = usersContract.editUser

export const editUser = endpoint(call, {
  prepare: async ({ services, app, body: { password, email, hwid } }) => {
    // An empty password keeps the current one.
    checkUserChange({ password: password || undefined, email })
    const passwordHash = password ? await services.passwords.hash(password, endUserCost) : undefined
    return { passwordHash, machine: hwid ? await machineOf(services, app, hwid) : undefined }
  },
  write: async (tx, context, prepared) => {
    const { username, email, hwid, before } = context.body
    const { user, undoId } = await editUserUndoably(tx, context, { username, email, hwid, before, ...prepared })
    return { ...done(call, 'USER_UPDATE_OK'), user: await describeUser(tx.db, user, context.now), undoId }
  },
})
