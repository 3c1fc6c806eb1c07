import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { accountCost } from '#server/auth/passwords.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { getAccount } from '../accounts.actions.ts'
import { checkNewPassword, proveIdentity } from '../identity-proof.actions.ts'
import { changePassword as changePasswordAction } from '../sign-in.actions.ts'

const call = accountSecurityContract.changePassword

export const changePassword = endpoint(call, {
  prepare: async (context) => {
    const { services, actor, body } = context
    const { currentPassword: password, newPassword, code } = body
    await checkNewPassword(services, newPassword, await getAccount(services.db.read, actor.id))
    const proved = await proveIdentity(context, { password, code })
    return { proved, code, passwordHash: await services.passwords.hash(newPassword, accountCost) }
  },
  write: async (tx, context, prepared) => {
    await changePasswordAction(tx, context, prepared)
    return done(call, 'PASSWORD_CHANGE_OK')
  },
})
