import { done } from '#contract/define-call.ts'
import { refuse, refuseProblem } from '#contract/refusals.ts'
import { endpoint } from '#server/endpoint.ts'
import { accountCost } from '#server/passwords.ts'
import { registerAccount } from '../accounts.actions.ts'
import { accountsContract } from '../accounts.contract.ts'
import { isAccountTaken } from '../accounts.reads.ts'
import { accountsRefusals } from '../accounts.refusals.ts'
import { signedInReply } from '../accounts.reply.ts'
import { accountProblem } from '../accounts.rules.ts'
import { passwordPolicy, refuseEasyPassword } from '../identity-proof.actions.ts'

const call = accountsContract.register

export const register = endpoint(call, {
  prepare: async ({ services, body }) => {
    const { platform } = await services.settings.current()
    if (!platform.registrationEnabled && !body.setupToken) refuse(accountsRefusals, 'REGISTRATION_CLOSED')
    refuseProblem(accountsRefusals, accountProblem(body, await passwordPolicy(services)))
    refuseEasyPassword(body.password, body, 'password')
    if (await isAccountTaken(services.db.read, body.username, body.email)) refuse(accountsRefusals, 'ACCOUNT_TAKEN')
    return services.passwords.hash(body.password, accountCost)
  },
  write: async (tx, context, passwordHash) => {
    const account = await registerAccount(tx, context, { ...context.body, passwordHash })
    return { ...done(call, 'REGISTER_OK'), ...signedInReply(account) }
  },
})
