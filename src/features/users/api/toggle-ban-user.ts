import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { lockUser, setUsersBanned } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'

export const toggleBanUser = endpoint(usersContract.toggleBanUser, {
  write: async (tx, context) => {
    const { app, body } = context
    const user = await lockUser(tx, app.id, body.username)
    const banned = body.banned ?? user.banned === 0
    await setUsersBanned(tx, app.id, [user], banned)
    await recordAudit(tx, context, { act: banned ? 'user.ban' : 'user.unban', target: user.username })
    return { message: banned ? 'User banned successfully' : 'User unbanned successfully', banned }
  },
})
