import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/endpoint.ts'
import { accountCost } from '#server/passwords.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { getAccount } from '../accounts.actions.ts'
import { changePassword as changePasswordAction, checkNewPassword, provePassword } from '../identity-proof.actions.ts'

const call = accountSecurityContract.changePassword

export const changePassword = endpoint(call, {
  prepare: async ({ services, actor, body, caller, now }) => {
    const account = await getAccount(services.db.read, actor.id)
    await checkNewPassword(services, body.newPassword, account)
    const proof = { accountId: actor.id, password: body.currentPassword, ip: caller.ip, now }
    const proved = await provePassword(services, proof)
    return { proved, passwordHash: await services.passwords.hash(body.newPassword, accountCost) }
  },
  write: async (tx, context, prepared) => {
    await changePasswordAction(tx, context, prepared)
    return done(call, 'PASSWORD_CHANGE_OK')
  },
})
