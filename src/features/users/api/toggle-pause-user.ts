import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { lockUser, setUsersPaused } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'

export const togglePauseUser = endpoint(usersContract.togglePauseUser, {
  write: async (tx, context) => {
    const { app, body, now } = context
    const user = await lockUser(tx, app.id, body.username)
    const paused = body.paused ?? user.paused === 0
    await setUsersPaused(tx, { appId: app.id, users: [user], paused, now })
    await recordAudit(tx, context, { act: paused ? 'user.pause' : 'user.unpause', target: user.username })
    return { message: paused ? 'User paused successfully' : 'User unpaused successfully', paused }
  },
})
