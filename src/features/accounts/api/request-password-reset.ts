import { rejectProblem } from '#contract/errors.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { requireMail } from '#server/mail/mail.ts'
import { networkOf } from '#server/rate-limits.ts'
import { passwordResetErrors } from '../accounts.errors.ts'
import { emailProblem } from '../accounts.rules.ts'
import { requestReset } from '../password-reset.actions.ts'
import { passwordResetContract } from '../password-reset.contract.ts'

export const maxOfNetwork = 20

export const requestPasswordReset = endpoint(passwordResetContract.requestPasswordReset, {
  prepare: async ({ services, body, caller }) => {
    requireMail(services)
    rejectProblem(passwordResetErrors, emailProblem(body.email), { field: 'email' })
    const limit = { purpose: 'password resets', subject: networkOf(caller.ip), max: maxOfNetwork, seconds: 3600 }
    services.rateLimits.take(limit, services.clock())
  },
  write: async (tx, context) => {
    await requestReset(tx, context, context.body.email)
    return { code: 'RESET_REQUEST_OK' }
  },
})
