import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { banUser } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'

const call = usersContract.toggleBanUser

export const toggleBanUser = endpoint(call, {
  write: async (tx, context) => {
    const { username, banned } = context.body
    const user = await banUser(tx, context, { username, banned })
    const isBanned = user.banned === 1
    return { ...done(call, isBanned ? 'USER_BAN_OK' : 'USER_UNBAN_OK'), banned: isBanned }
  },
})
