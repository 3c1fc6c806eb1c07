import { done } from '#contract/define-call.ts'
import {
  banUser as banUserAction,
  pauseUser as pauseUserAction,
  resetUserHwid as resetUserHwidAction,
} from '#features/users/users.actions.ts'
import { describeUser } from '#features/users/users.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { sellerUsersContract } from '../seller-users.contract.ts'

const contract = sellerUsersContract

export const banUser = endpoint(contract.banUser, {
  write: async (tx, context) => {
    const { username } = context.params
    const user = await banUserAction(tx, context, { username, banned: true })
    return { ...done(contract.banUser, 'USER_BAN_OK'), user: await describeUser(tx.db, user, context.now) }
  },
})

export const unbanUser = endpoint(contract.unbanUser, {
  write: async (tx, context) => {
    const { username } = context.params
    const user = await banUserAction(tx, context, { username, banned: false })
    return { ...done(contract.unbanUser, 'USER_UNBAN_OK'), user: await describeUser(tx.db, user, context.now) }
  },
})

export const pauseUser = endpoint(contract.pauseUser, {
  write: async (tx, context) => {
    const { username } = context.params
    const user = await pauseUserAction(tx, context, { username, paused: true })
    return { ...done(contract.pauseUser, 'USER_PAUSE_OK'), user: await describeUser(tx.db, user, context.now) }
  },
})

export const unpauseUser = endpoint(contract.unpauseUser, {
  write: async (tx, context) => {
    const { username } = context.params
    const user = await pauseUserAction(tx, context, { username, paused: false })
    return { ...done(contract.unpauseUser, 'USER_UNPAUSE_OK'), user: await describeUser(tx.db, user, context.now) }
  },
})

export const resetUserHwid = endpoint(contract.resetUserHwid, {
  write: async (tx, context) => {
    const { username } = context.params
    const user = await resetUserHwidAction(tx, context, username)
    return { ...done(contract.resetUserHwid, 'USER_HWID_RESET_OK'), user: await describeUser(tx.db, user, context.now) }
  },
})
