import { done } from '#contract/define-call.ts'
import { refuse, refuseProblem } from '#contract/refusals.ts'
import { endpoint } from '#server/endpoint.ts'
import { accountCost } from '#server/passwords.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { Services } from '#server/services.ts'
import { accountsContract } from '../accounts.contract.ts'
import { isAccountTaken } from '../accounts.reads.ts'
import { accountsRefusals } from '../accounts.refusals.ts'
import { signedInReply } from '../accounts.reply.ts'
import { accountProblem } from '../accounts.rules.ts'
import { passwordPolicy, refuseEasyPassword } from '../identity-proof.actions.ts'
import { otherSignIn } from '../other-sign-ins.ts'
import { registerAccount } from '../sign-in.actions.ts'

const call = accountsContract.register

export const register = endpoint(call, {
  prepare: async ({ services, body, caller }) => {
    const { platform } = await services.settings.current()
    if (!platform.registrationEnabled && !body.setupToken) refuse(accountsRefusals, 'REGISTRATION_CLOSED')
    refuseProblem(accountsRefusals, accountProblem(body, await passwordPolicy(services)))
    await refuseEasyPassword(services, body.password, body, 'password')
    limitRegistrations(services, caller.ip)
    const { read } = services.db
    // One form signs resellers in too.
    const isTaken =
      (await isAccountTaken(read, body.username, body.email)) ||
      (await otherSignIn(services)?.isTaken(read, body.username))
    if (isTaken) refuse(accountsRefusals, 'ACCOUNT_TAKEN')
    return services.passwords.hash(body.password, accountCost)
  },
  write: async (tx, context, passwordHash) => {
    const account = await registerAccount(tx, context, { ...context.body, passwordHash })
    return { ...done(call, 'REGISTER_OK'), ...signedInReply(account) }
  },
})

/** Counts forms that are in order: a slip costs nobody an attempt, and each of these tells whether a name is taken. */
function limitRegistrations({ rateLimits, config, clock }: Services, ip: string): void {
  const max = config.limits.registrationsPerHour
  rateLimits.take({ purpose: 'registration', subject: networkOf(ip), max, seconds: 3600 }, clock())
}
