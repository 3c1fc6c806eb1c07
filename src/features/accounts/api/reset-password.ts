import { endpoint } from '#server/http/endpoint.ts'
import { accountHashing } from '#server/passwords/hashing-use.ts'
import { networkOf } from '#server/rate-limits.ts'
import { checkNewPassword } from '../identity-verification.actions.ts'
import { getReset, resetPassword as resetPasswordAction } from '../password-reset.actions.ts'
import { passwordResetContract } from '../password-reset.contract.ts'

export const resetPassword = endpoint(passwordResetContract.resetPassword, {
  prepare: async ({ services, caller, body: { token, newPassword } }) => {
    const found = await getReset(services, token)
    await checkNewPassword(services, newPassword, found.person)
    const passwordHash = await services.passwords.hash(newPassword, accountHashing(networkOf(caller.ip)))
    return { token, found, passwordHash }
  },
  write: async (tx, context, prepared) => {
    await resetPasswordAction(tx, context, prepared)
    return { code: 'PASSWORD_RESET_OK' }
  },
})
