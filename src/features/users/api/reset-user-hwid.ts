import { endpoint } from '#server/http/endpoint.ts'
import { resetHwidUndoably } from '../user-changes.actions.ts'
import { usersContract } from '../users.contract.ts'

export const resetUserHwid = endpoint(usersContract.resetUserHwid, {
  write: async (tx, context) => {
    const { undoId } = await resetHwidUndoably(tx, context, context.body.username)
    return { code: 'USER_HWID_RESET_OK', undoId }
  },
})
