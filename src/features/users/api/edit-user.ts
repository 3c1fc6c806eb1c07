import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/endpoint.ts'
import { endUserCost } from '#server/passwords.ts'
import { checkUserChange, editUser as editUserAction } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'
import { describeUser } from '../users.reply.ts'

const call = usersContract.editUser

export const editUser = endpoint(call, {
  prepare: async ({ services, body: { password, email } }): Promise<string | undefined> => {
    // A form whose password is empty keeps the one that there is.
    checkUserChange({ password: password || undefined, email })
    return password ? services.passwords.hash(password, endUserCost) : undefined
  },
  write: async (tx, context, passwordHash) => {
    const { username, email, hwid, before } = context.body
    const user = await editUserAction(tx, context, { username, email, hwid, passwordHash, before })
    return { ...done(call, 'USER_UPDATE_OK'), user: await describeUser(tx.db, user, context.now) }
  },
})
