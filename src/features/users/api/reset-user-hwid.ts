import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { resetHwidUndoably } from '../user-changes.actions.ts'
import { usersContract } from '../users.contract.ts'

const call = usersContract.resetUserHwid

export const resetUserHwid = endpoint(call, {
  write: async (tx, context) => {
    const { undoId } = await resetHwidUndoably(tx, context, context.body.username)
    return { ...done(call, 'USER_HWID_RESET_OK'), undoId }
  },
})
