import type { Tx } from '#database/database.ts'
import { getUser, lockUser, resetHwids, setUsersBanned, setUsersPaused } from '#features/users/users.actions.ts'
import type { User } from '#features/users/users.reads.ts'
import { describeUser } from '#features/users/users.reply.ts'
import { recordAudit } from '#server/audit.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { sellerUsersContract } from '../seller-users.contract.ts'

type ActCall = typeof sellerUsersContract.banUser

interface Act {
  name: string
  message: string
  on: (tx: Tx, target: { appId: string; user: User; now: number }) => Promise<void>
}

const acts = {
  ban: {
    name: 'user.ban',
    message: 'User banned successfully',
    on: (tx, { appId, user }) => setUsersBanned(tx, appId, [user], true),
  },
  unban: {
    name: 'user.unban',
    message: 'User unbanned successfully',
    on: (tx, { appId, user }) => setUsersBanned(tx, appId, [user], false),
  },
  pause: {
    name: 'user.pause',
    message: 'User paused successfully',
    on: (tx, { appId, user, now }) => setUsersPaused(tx, { appId, users: [user], paused: true, now }),
  },
  unpause: {
    name: 'user.unpause',
    message: 'User unpaused successfully',
    on: (tx, { appId, user, now }) => setUsersPaused(tx, { appId, users: [user], paused: false, now }),
  },
  resetHwid: {
    name: 'user.reset-hwid',
    message: 'HWID reset successfully',
    on: (tx, { appId, user }) => resetHwids(tx, appId, [user]),
  },
} satisfies Record<string, Act>

/** Does one act on the user that the path names and tells how the user is afterwards. */
const userAction = ({ name, message, on }: Act) => ({
  write: async (tx: Tx, anyContext: unknown) => {
    const context = anyContext as CallContext<ActCall>
    const { app, params, now } = context
    const locked = await lockUser(tx, app.id, params.username)
    const { username } = locked
    await on(tx, { appId: app.id, user: locked, now })
    await recordAudit(tx, context, { act: name, target: username })
    const user = await getUser(tx.db, app.id, username)
    return { message, user: await describeUser(tx.db, user, now) }
  },
})

export const banUser = endpoint(sellerUsersContract.banUser, userAction(acts.ban))
export const unbanUser = endpoint(sellerUsersContract.unbanUser, userAction(acts.unban))
export const pauseUser = endpoint(sellerUsersContract.pauseUser, userAction(acts.pause))
export const unpauseUser = endpoint(sellerUsersContract.unpauseUser, userAction(acts.unpause))
export const resetUserHwid = endpoint(sellerUsersContract.resetUserHwid, userAction(acts.resetHwid))
