import { done } from '#contract/define-call.ts'
import { refuseProblem } from '#contract/refusals.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { requireMail } from '#server/mail/mail.ts'
import { networkOf } from '#server/rate-limits.ts'
import { passwordResetRefusals } from '../accounts.refusals.ts'
import { emailProblem } from '../accounts.rules.ts'
import { requestReset } from '../password-reset.actions.ts'
import { passwordResetContract } from '../password-reset.contract.ts'

const call = passwordResetContract.requestPasswordReset

const maxOfNetwork = 20

export const requestPasswordReset = endpoint(call, {
  prepare: async ({ services, body, caller }) => {
    requireMail(services)
    refuseProblem(passwordResetRefusals, emailProblem(body.email), { field: 'email' })
    const limit = { purpose: 'password resets', subject: networkOf(caller.ip), max: maxOfNetwork, seconds: 3600 }
    services.rateLimits.take(limit, services.clock())
  },
  write: async (tx, context) => {
    await requestReset(tx, context, context.body.email)
    return done(call, 'RESET_REQUEST_OK')
  },
})
