import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/endpoint.ts'
import { requireMail } from '#server/mail.ts'
import { sendPasswordReset as sendPasswordResetAction } from '../admin.actions.ts'
import { adminContract } from '../admin.contract.ts'

const call = adminContract.sendPasswordReset

export const sendPasswordReset = endpoint(call, {
  prepare: async ({ services }) => requireMail(services),
  write: async (tx, context) => {
    await sendPasswordResetAction(tx, context, context.params.id)
    return done(call, 'OWNER_RESET_OK')
  },
})
