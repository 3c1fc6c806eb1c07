import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { sendPasswordReset as sendPasswordResetAction } from '../admin.actions.ts'
import { adminContract } from '../admin.contract.ts'

const call = adminContract.sendPasswordReset

export const sendPasswordReset = endpoint(call, {
  write: async (tx, context) => {
    const link = await sendPasswordResetAction(tx, context, context.params.id)
    return link ? { ...done(call, 'RESET_LINK_OK'), ...link } : done(call, 'OWNER_RESET_OK')
  },
})
