import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { endUserCost } from '#server/passwords.ts'
import { checkUserChange, editUser as editUserAction, lockUser } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'
import { describeUser } from '../users.reply.ts'

export const editUser = endpoint(usersContract.editUser, {
  prepare: async ({ services, body: { password, email } }): Promise<string | undefined> => {
    // A form that leaves the password empty means the one that there is.
    checkUserChange({ password: password || undefined, email })
    return password ? services.passwords.hash(password, endUserCost) : undefined
  },
  write: async (tx, context, passwordHash) => {
    const { app, body, now } = context
    const { email, hwid } = body
    const user = await editUserAction(tx, await lockUser(tx, app.id, body.username), { email, hwid, passwordHash })
    const details = { email: email !== undefined, password: passwordHash !== undefined, hwid: hwid === '' }
    await recordAudit(tx, context, { act: 'user.edit', target: user.username, details })
    return { message: 'User updated successfully', user: await describeUser(tx.db, user, now) }
  },
})
