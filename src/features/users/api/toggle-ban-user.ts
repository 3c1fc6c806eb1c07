import { endpoint } from '#server/http/endpoint.ts'
import { banUser } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'

export const toggleBanUser = endpoint(usersContract.toggleBanUser, {
  write: async (tx, context) => {
    const { username, banned } = context.body
    const user = await banUser(tx, context, { username, banned })
    const isBanned = user.banned === 1
    return { code: isBanned ? 'USER_BAN_OK' : 'USER_UNBAN_OK', banned: isBanned }
  },
})
