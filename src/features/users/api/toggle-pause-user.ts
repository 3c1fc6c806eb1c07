import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { heldUser } from '../user-account.actions.ts'
import { setUsersPaused } from '../user-state.actions.ts'
import { usersContract } from '../users.contract.ts'

export const togglePauseUser = endpoint(usersContract.togglePauseUser, {
  unit: async (unit, context) => {
    const { app, body, now } = context
    const user = await heldUser(unit, app.id, body.username)
    const paused = body.paused ?? user.paused === 0
    await setUsersPaused(unit, { appId: app.id, ids: [user.id], paused, now })
    await recordAudit(unit, context, { act: paused ? 'user.pause' : 'user.unpause', target: user.username })
    return { message: paused ? 'User paused successfully' : 'User unpaused successfully', paused }
  },
})
