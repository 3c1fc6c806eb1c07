import { endpoint } from '#server/http/endpoint.ts'
import { sendPasswordReset as sendPasswordResetAction } from '../admin.actions.ts'
import { adminContract } from '../admin.contract.ts'

export const sendPasswordReset = endpoint(adminContract.sendPasswordReset, {
  write: async (tx, context) => {
    const link = await sendPasswordResetAction(tx, context, context.params.id)
    return link ? { code: 'RESET_LINK_OK', ...link } : { code: 'OWNER_RESET_OK' }
  },
})
