import { rejectProblem } from '#contract/errors.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { requireMail } from '#server/mail/mail.ts'
import { accountHashing } from '#server/passwords/hashing-use.ts'
import { networkOf } from '#server/rate-limits.ts'
import { passwordResetErrors } from '../accounts.errors.ts'
import { emailProblem } from '../accounts.rules.ts'
import { checkNewPassword } from '../identity-verification.actions.ts'
import { getReset, requestReset, resetPassword } from '../password-reset.actions.ts'
import { passwordResetContract as contract } from '../password-reset.contract.ts'

export const maxOfNetwork = 20

export const passwordResetCalls: readonly Endpoint[] = [
  endpoint(contract.requestPasswordReset, {
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
  }),
  endpoint(contract.resetPassword, {
    prepare: async ({ services, caller, body: { token, newPassword } }) => {
      const found = await getReset(services, token)
      await checkNewPassword(services, newPassword, found.person)
      const passwordHash = await services.passwords.hash(newPassword, accountHashing(networkOf(caller.ip)))
      return { token, found, passwordHash }
    },
    write: async (tx, context, prepared) => {
      await resetPassword(tx, context, prepared)
      return { code: 'PASSWORD_RESET_OK' }
    },
  }),
]
