import type { Unit } from '#database/database.ts'
import { existingUser, heldUser } from '#features/users/user-account.actions.ts'
import { describeUser } from '#features/users/user-descriptions.actions.ts'
import { resetHwids, setUsersBanned, setUsersPaused } from '#features/users/user-state.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { sellerUsersContract } from '../seller-users.contract.ts'

type ActCall = typeof sellerUsersContract.banUser

interface Act {
  name: string
  message: string
  on: (unit: Unit, user: { appId: string; id: number; now: number }) => Promise<void>
}

const acts = {
  ban: {
    name: 'user.ban',
    message: 'User banned successfully',
    on: (unit, { appId, id }) => setUsersBanned(unit, appId, [id], true),
  },
  unban: {
    name: 'user.unban',
    message: 'User unbanned successfully',
    on: (unit, { appId, id }) => setUsersBanned(unit, appId, [id], false),
  },
  pause: {
    name: 'user.pause',
    message: 'User paused successfully',
    on: (unit, { appId, id, now }) => setUsersPaused(unit, { appId, ids: [id], paused: true, now }),
  },
  unpause: {
    name: 'user.unpause',
    message: 'User unpaused successfully',
    on: (unit, { appId, id, now }) => setUsersPaused(unit, { appId, ids: [id], paused: false, now }),
  },
  resetHwid: {
    name: 'user.reset-hwid',
    message: 'HWID reset successfully',
    on: (unit, { appId, id }) => resetHwids(unit, appId, [id]),
  },
} satisfies Record<string, Act>

/** Does one act on the user that the path names and tells how the user is afterwards. */
const doing = ({ name, message, on }: Act) => ({
  unit: async (unit: Unit, anyContext: unknown) => {
    const context = anyContext as CallContext<ActCall>
    const { app, params, now } = context
    const { id, username } = await heldUser(unit, app.id, params.username)
    await on(unit, { appId: app.id, id, now })
    await recordAudit(unit, context, { act: name, target: username })
    const user = await existingUser(unit.trx, app.id, username)
    return { message, user: await describeUser(unit.trx, user, now) }
  },
})

export const banUser = endpoint(sellerUsersContract.banUser, doing(acts.ban))
export const unbanUser = endpoint(sellerUsersContract.unbanUser, doing(acts.unban))
export const pauseUser = endpoint(sellerUsersContract.pauseUser, doing(acts.pause))
export const unpauseUser = endpoint(sellerUsersContract.unpauseUser, doing(acts.unpause))
export const resetUserHwid = endpoint(sellerUsersContract.resetUserHwid, doing(acts.resetHwid))
