import { endpoint } from '#server/http/endpoint.ts'
import { lockUser } from '../users.actions.ts'
import { pauseUserUndoably } from '../user-changes.actions.ts'
import { usersContract } from '../users.contract.ts'

export const togglePauseUser = endpoint(usersContract.togglePauseUser, {
  write: async (tx, context) => {
    const { username, paused } = context.body
    const found = await lockUser(tx, context.app.id, username)
    const { user, undoId } = await pauseUserUndoably(tx, context, found, paused)
    const isPaused = user.paused === 1
    return { code: isPaused ? 'USER_PAUSE_OK' : 'USER_UNPAUSE_OK', paused: isPaused, undoId }
  },
})
