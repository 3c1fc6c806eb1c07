import { rejectProblem } from '#contract/errors.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { userHashing } from '#server/passwords/hashing-use.ts'
import { getCustomerOfReset, resetUserPassword as resetUserPasswordAction } from '../user-password-reset.actions.ts'
import { userPasswordResetContract } from '../user-password-reset.contract.ts'
import { userPasswordResetErrors } from '../users.errors.ts'
import { endUserPasswordProblem } from '../users.rules.ts'

export const resetUserPassword = endpoint(userPasswordResetContract.resetUserPassword, {
  prepare: async ({ services, body: { token, newPassword } }) => {
    const { user, app } = await getCustomerOfReset(services, token)
    rejectProblem(userPasswordResetErrors, endUserPasswordProblem(newPassword), { field: 'newPassword' })
    return { token, user, passwordHash: await services.passwords.hash(newPassword, userHashing(app.ownerId)) }
  },
  write: async (tx, context, prepared) => {
    await resetUserPasswordAction(tx, context, prepared)
    return { code: 'USER_PASSWORD_RESET_OK' }
  },
})
