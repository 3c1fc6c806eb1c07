import { refuse } from '#contract/refusals.ts'
import { accountById, signInAgain } from '#features/accounts/accounts.actions.ts'
import { finishProof, proveIdentity } from '#features/accounts/identity-proof.actions.ts'
import { disableTwoFactor as disable, hasSecondFactor } from '#features/accounts/two-factor.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { profileContract, profileRefusals } from '../profile.contract.ts'

/** Works while the platform offers no second factor any more: who has one must be able to end it. */
export const disableTwoFactor = endpoint(profileContract.disableTwoFactor, {
  prepare: async ({ services, actor, body, caller, now }) => {
    const account = (await accountById(services.db.read, actor.id)) ?? signInAgain()
    if (!hasSecondFactor(account)) refuse(profileRefusals, 'TWO_FACTOR_OFF')
    return proveIdentity(services, { accountId: actor.id, ...body, ip: caller.ip, now })
  },
  unit: async (unit, context, proved) => {
    const { services, body, now } = context
    const account = await finishProof(unit, services, proved, { code: body.code, now })
    if (!hasSecondFactor(account)) refuse(profileRefusals, 'TWO_FACTOR_OFF')
    await disable(unit, account.id)
    await recordAudit(unit, context, { act: 'account.two-factor-off', target: account.username })
    return { message: 'Two-factor authentication is off' }
  },
})
